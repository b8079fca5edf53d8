import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the frame of the console and of the parts that its areas share, in German. */
export const de = {
  'console.signInTitle': 'Bei Ihren Studien anmelden',
  'console.endedTitle': 'Ihre Sitzung ist beendet',
  'console.endedNote': 'Melden Sie sich wieder an, um hier weiterzuarbeiten. Ihre Eingaben sind noch da.',
  'console.allStudies': 'Alle Studien',
  'console.study': 'Studie',
  'console.person': 'Angemeldet als {name}',
  'console.theme': 'Farben',
  'console.themeSystem': 'Wie auf diesem Gerät',
  'console.themeLight': 'Hell',
  'console.themeDark': 'Dunkel',
  'console.offline': 'Keine Verbindung. Was Sie sehen, kann veraltet sein; was Sie eingeben, bleibt hier erhalten.',
  'console.missing': 'Diese Seite gibt es nicht',
  'console.missingNote': 'Vielleicht stimmt die Adresse nicht, oder das Gesuchte gibt es nicht mehr.',
  'console.missingStudy': 'Diese Studie gibt es nicht, oder Sie haben keinen Zugang',
  'console.missingStudyNote': 'Bitten Sie die Studienleitung um Zugang, oder wählen Sie eine Ihrer Studien.',
  'console.toStudies': 'Zu allen Studien',
  'console.areaFailed': 'Dieser Teil konnte nicht geladen werden',
  'console.areaFailedNote':
    'Vielleicht wurde der Server aktualisiert, oder er ist nicht erreichbar. Laden Sie die Seite neu.',
  'console.failed': 'Das konnte nicht geladen werden',
  'console.forbidden': 'Das dürfen Sie nicht sehen',
  'console.forbiddenNote': 'Dafür brauchen Sie die Berechtigung {needs}. Die Studienleitung kann sie Ihnen geben.',
  'console.forbiddenPlain': 'Die Studienleitung kann Ihnen Zugang geben.',
  'console.lockedData':
    'Die Daten dieser Studie sind gesperrt: Teilnehmende und Antworten können nicht geändert werden.',
  'console.lockedConfiguration':
    'Die Konfiguration dieser Studie ist gesperrt: Formulare, Gruppen und Einstellungen können nicht geändert werden.',
  'console.lockedReason': 'Grund: {reason}',
  'console.closeInspector': 'Details schließen',

  'area.participants': 'Teilnehmende',
  'area.queries': 'Rückfragen',

  'state.waiting': 'noch nicht offen',
  'state.open': 'offen',
  'state.started': 'begonnen',
  'state.complete': 'vollständig',
  'state.behind': 'überfällig',
  'state.missed': 'versäumt',
} as const satisfies TextsLike<typeof en>
