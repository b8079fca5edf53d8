import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the components and the frame of pages in German. */
export const de = {
  'site.skip': 'Zum Inhalt springen',
  'site.pages': 'Seiten',
  'site.manual': 'Handbuch',
  'site.api': 'API',
  'site.account': 'Konto',
  'site.language': 'Sprache',
  'site.needsScript':
    'Diese Seite braucht JavaScript: Damit schickt sie Ihre Eingaben an den Server. Bitte schalten Sie es ein und laden Sie die Seite neu.',
  'site.loading': 'Wird geladen …',
  'site.unreachable': 'Der Server ist nicht erreichbar. Versuchen Sie es gleich noch einmal.',
  'site.failed': 'Etwas ist schiefgegangen. Versuchen Sie es gleich noch einmal.',
  'site.notShown': 'Diese Seite konnte nicht angezeigt werden',
  'site.notShownNote':
    'Versuchen Sie es noch einmal. Wenn das nicht hilft, laden Sie die Seite neu, oder kommen Sie später wieder.',
  'site.again': 'Noch einmal versuchen',
  'site.reload': 'Seite neu laden',

  'field.optional': 'freiwillig',
  'field.reveal': 'Zeichen anzeigen',
  'field.conceal': 'Zeichen verbergen',

  'dialog.cancel': 'Abbrechen',
  'dialog.close': 'Schließen',

  'toast.messages': 'Meldungen',
  'toast.dismiss': 'Diese Meldung schließen',
} as const satisfies TextsLike<typeof en>
