import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in German. */
export const de = {
  'landing.title': 'Eine ganze klinische Studie an einem Ort',
  'landing.lead':
    'Dies ist ein Trialbox-Server. Formulare, Teilnehmende, Zeitpläne, Dateien, Einwilligungen und der Prüfpfad einer Studie liegen hier, auf diesem Rechner.',
  'landing.takePart': 'Ich nehme an einer Studie teil',
  'landing.takePartNote': 'Formulare, Nachrichten, Termine',
  'landing.console': 'Konsole des Studienteams',
  'landing.consoleNote': 'Studien, Teilnehmende, ihre Antworten und Rückfragen.',
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

  'health.title': 'Zustand des Servers',
  'health.ok': 'Der Dienst läuft, und es fehlt nichts.',
  'health.warning': 'Der Dienst läuft. Jemand sollte ihn sich ansehen.',
  'health.failing': 'Der Dienst ist gestört: Etwas wird nicht mehr erledigt.',
  'health.rest':
    'Was nicht stimmt, sieht die Verwaltung des Servers auf seinem eigenen Rechner; auch Admins eines Teams sehen es.',
  'health.signIn': 'Anmelden',
  'health.version': 'Programmversion {version}',
  'health.diskFull': 'Der Datenträger ist voll: Nichts kann geschrieben werden.',
  'health.diskSpace': 'Auf dem Datenträger ist weniger als 1 GB frei.',
  'health.folder': 'In das Datenverzeichnis oder einen Ordner darin kann nicht geschrieben werden.',
  'health.disk': 'Das Datenverzeichnis kann nicht benutzt werden; das Protokoll sagt, warum.',
  'health.clock':
    'Die Uhr liegt hinter dem zurück, was zuletzt geschrieben wurde: Bis sie stimmt, wird nichts geschrieben.',
  'health.clockStep':
    'Die Uhr des Rechners hat einen Sprung gemacht. Der Server rechnet mit seiner eigenen Zeit weiter.',
  'health.clockNew': 'Über die Uhr des Rechners ist noch nichts bekannt.',
  'health.database': 'Die Datenbankdatei ist beschädigt: Spielen Sie eine Sicherung ein.',
  'health.verify': 'Eine Prüfung der Daten hat einen Fehler gefunden: „trialbox verify“ sagt mehr.',
  'health.certificate': 'Das Zertifikat ist abgelaufen oder läuft innerhalb von 14 Tagen ab.',
  'health.backup': 'Seit 7 Tagen wurde keine Sicherung gemacht.',
  'health.clockTitle': 'Die Uhr',
  'health.shown': 'Der Rechner zeigt',
  'health.expected': 'Der Server hat erwartet',
  'health.newest': 'Zuletzt geschrieben',
  'health.until': 'Ohne Entscheidung richtet sich der Server nach ihr ab',
  'health.heldMeans':
    'Alle können arbeiten. Aber bis dahin verschickt der Server keine Erinnerungen, lässt nichts ablaufen und entfernt nichts wegen der Zeit. Wenn die Uhr des Rechners falsch geht, stellen Sie sie richtig.',
  'health.behindMeans':
    'Wenn die Uhr falsch geht, stellen Sie sie richtig: Der Server macht dann von selbst weiter. Wenn sie stimmt und vorher vorging, bestätigen Sie sie.',
  'health.needsAdmin': 'Admins eines Teams können die Uhr hier bestätigen.',
  'health.right': 'Die Uhr stimmt',
  'health.acceptTitle': 'Stimmt die Zeit, die der Rechner zeigt?',
  'health.acceptNote':
    'Vergleichen Sie sie mit einer anderen Uhr. Der Server richtet sich dann sofort nach ihr: Was fällig ist, wird verschickt, und was abgelaufen ist, wird entfernt. Das Protokoll hält fest, wer sie bestätigt hat.',
  'health.accepted': 'Die Uhr ist bestätigt. Der Server richtet sich nach ihr.',

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
