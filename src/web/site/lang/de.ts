import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in German. */
export const de = {
  'landing.title': 'Eine ganze klinische Studie an einem Ort',
  'landing.lead':
    'Dies ist ein Trialbox-Server. Formulare, Teilnehmende, Zeitpläne, Dateien, Einwilligungen und der Prüfpfad einer Studie liegen hier, auf diesem Rechner.',
  'landing.takePart': 'Ich nehme an einer Studie teil',
  'landing.takePartNote': 'Formulare, Nachrichten, Termine',
  'landing.account':
    'Ihr Passwort, die Anmeldung in zwei Schritten, Sitzungen und die API-Schlüssel für Ihre Programme.',
  'landing.api': 'Jede Operation, was sie braucht und was sie zurückgibt. Im Browser auszuprobieren, auf Englisch.',
  'landing.manual': 'Wie man eine Studie und diesen Server betreibt, mit Suche, auf Englisch. Ohne Internet.',
  'landing.document': 'OpenAPI-Dokument',
  'landing.documentNote': 'Dasselbe für Programme, die Clients schreiben.',
  'landing.checking': 'Es wird geprüft, ob der Dienst läuft …',
  'landing.runs': 'Der Dienst läuft.',
  'landing.runsVersion': 'Der Dienst läuft. Version {version}',

  'missing.note': 'Vielleicht ist die Adresse falsch.',

  'setup.page': 'Einrichten',
  'setup.title': 'Ihr Konto einrichten',

  'account.title': 'Konto',

  'manual.suffix': 'Handbuch von Trialbox',
  'manual.search': 'Im Handbuch suchen',
  'manual.submit': 'Suchen',
  'manual.contents': 'Inhalt',
  'manual.results': 'Suche',
  'manual.hits.one': '{count} Abschnitt mit „{query}“',
  'manual.hits.other': '{count} Abschnitte mit „{query}“',
  'manual.noHits': 'Kein Abschnitt enthält alle diese Wörter. Versuchen Sie weniger oder kürzere, auf Englisch.',
  'manual.missing': 'Diese Seite gibt es nicht',
  'manual.missingNote': 'Wählen Sie eine aus dem Inhalt, oder suchen Sie ein Wort.',
  'manual.around': 'Davor und danach',
  'manual.previous': 'Zurück',
  'manual.next': 'Weiter',
} as const satisfies TextsLike<typeof en>
