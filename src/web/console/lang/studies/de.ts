import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the list of all studies in German. */
export const de = {
  'studies.title': 'Ihre Studien',
  'studies.count.one': '{count} Studie',
  'studies.count.other': '{count} Studien',
  'studies.people.one': '{count} teilnehmende Person',
  'studies.people.other': '{count} Teilnehmende',
  'studies.forms.one': '{count} Formular',
  'studies.forms.other': '{count} Formulare',
  'studies.responses.one': '{count} Antwort',
  'studies.responses.other': '{count} Antworten',
  'studies.unread': 'ungelesene Nachrichten',
  'studies.archived': 'archiviert',
  'studies.open': 'nicht gesperrt',
  'studies.configurationLocked': 'Konfiguration gesperrt',
  'studies.dataLocked': 'Daten gesperrt',
  'studies.limited': 'eingeschränkter Zugang',
  'studies.none': 'Sie haben noch keine Studien',
  'studies.noneNote': 'Die Leitung einer Studie gibt Ihnen darin eine Rolle. Dann erscheint die Studie hier.',
  'studies.noneYet': 'Es gibt noch keine Studien',
  'studies.noneYetNote': 'Sie dürfen Studien anlegen. Der Rundgang zeigt, wie die erste entsteht.',
  'studies.tour': 'Rundgang öffnen',
} as const satisfies TextsLike<typeof en>
