import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of signing in, in German. */
export const de = {
  'signIn.submit': 'Anmelden',
  'signIn.signOut': 'Abmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.code': 'Code',
  'signIn.codeNote':
    'Nur wenn Sie die Anmeldung in zwei Schritten eingerichtet haben: die sechs Ziffern Ihrer Authentifizierungs-App oder ein Wiederherstellungscode.',
  'signIn.refused': 'E-Mail-Adresse, Passwort oder Code stimmt nicht, oder das Konto ist gesperrt.',
  'signIn.forgot': 'Passwort vergessen?',
  'signIn.ended': 'Ihre Sitzung ist beendet. Bitte melden Sie sich wieder an.',
  'signIn.other':
    'Sie haben sich in einem anderen Fenster neu angemeldet. Prüfen Sie, wer hier nun angemeldet ist, und versuchen Sie es noch einmal.',
  'signIn.tooMany':
    'Zu viele Fehlversuche. Warten Sie eine Minute und versuchen Sie es dann wieder. Mit jedem weiteren Versuch wird die Wartezeit länger.',
} as const satisfies TextsLike<typeof en>
