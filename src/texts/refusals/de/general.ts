import type { general as en } from '#kernel/refusals/general'
import type { TranslationOf } from '../translated'

/** Refusals that any operation may give, in German. */
export const general = {
  unauthenticated:
    'Dafür ist ein gültiger API-Schlüssel, eine gültige Sitzung oder ein gültiges Teilnehmer-Token nötig.',
  permission: 'Ihnen fehlt die Berechtigung, die dafür nötig ist: {needs:or}.',
  reauth: 'Bestätigen Sie zuerst in der Web-App, dass Sie es sind: Mit einem API-Schlüssel geht das nicht.',
  featureOff: 'Die Funktion „{feature}“ ist für dieses Team ausgeschaltet.',
  configurationLocked: 'Die Studie ist gesperrt: An der Konfiguration kann nichts geändert werden.',
  databaseLocked: 'Die Datenbank ist gesperrt: Studiendaten und Teilnehmende können nicht geändert werden.',
  notFound: 'Das gibt es nicht, oder Sie können es nicht sehen: {noun}.',
  unknownMethod: '{method} gibt es unter diesem Pfad nicht: Hier möglich: {methods:and}.',
  unknownPath:
    'Unter diesem Pfad gibt es nichts. Alle Operationen stehen unter /docs, und für Programme unter /openapi.json.',
  linkEnded: 'Dieser Link wurde schon benutzt, ist abgelaufen, oder es gab ihn nie. Bitten Sie um einen neuen.',
  notYet: 'Dieser Link gilt noch nicht: Er kann ab {from} benutzt werden.',
  taken: 'Schon vergeben: {noun} „{value}“. Wählen Sie etwas anderes.',
  needed: '„{name}“ kann nicht gelöscht werden, denn es wird noch gebraucht von: {by}.',
  repeatedEntry:
    'Dieser Eintrag ist schon bei der Studie angekommen, und nichts davon wurde doppelt gespeichert. Sehen Sie im Formular nach, was gespeichert ist.',
  erased: 'Das ist schon geschehen, und der Inhalt wurde seither gelöscht. Es wird nicht wiederholt.',
  tooLarge: 'Die Anfrage ist größer als {limit}.',
  requestCutShort: 'Die Anfrage wurde abgebrochen: Ihr Inhalt kam nicht vollständig an. Senden Sie sie noch einmal.',
  invalid: 'Die Anfrage ist nicht gültig: {problems}',
  tooMany: 'Zu viele Anfragen: Erlaubt sind {limit}. Versuchen Sie es in {seconds} s noch einmal.',
  tooManyOpen: 'Höchstens {limit} sind erlaubt. Beenden Sie einige davon, oder versuchen Sie es in {wait} noch einmal.',
  lockedOut: 'Zu viele Fehlversuche. Versuchen Sie es in {wait} noch einmal.',
  clock: '{state} Bis die Uhr richtig geht, wird nichts gespeichert.',
  diskFull:
    'Der Speicher des Servers ist voll: Es wurde nichts geändert. Versuchen Sie es noch einmal, wenn die Verwaltung des Servers Platz geschaffen hat.',
  diskUnusable:
    'Der Server kann sein Datenverzeichnis nicht benutzen: Es wurde nichts geändert. Die Verwaltung des Servers findet den Grund im Protokoll.',
  defect: 'Im Server ist ein Fehler aufgetreten; es wurde nichts geändert.',
  notIdempotencyKey: 'Ein Idempotency-Key hat 1 bis 200 Zeichen.',
  idempotencyKeyUsed: 'Dieser Idempotency-Key wurde schon für eine andere Anfrage benutzt.',
  permissionsChangedSince:
    'Das ist schon geschehen, und Ihre Berechtigungen haben sich seither geändert: Lesen Sie stattdessen das Ergebnis.',
  notBearer:
    'Der Header Authorization muss aus „Bearer“, einem Leerzeichen und einem API-Schlüssel oder Teilnehmer-Token bestehen.',
  onlyInWebApp: 'Das geht nur in der Web-App, nicht mit einem API-Schlüssel.',
  otherCredential: 'Dafür ist nötig: {needed:or}. Mit der Anfrage kam: {given}.',
  credentialOfStaff: 'ein API-Schlüssel des Studienteams (Authorization: Bearer tbk_…) oder eine Sitzung der Web-App',
  credentialSession: 'eine Sitzung der Web-App',
  credentialOfParticipant:
    'ein Teilnehmer-Token (Authorization: Bearer …), das bei der Anmeldung einer teilnehmenden Person entsteht',
  credentialNone: 'weder ein Header Authorization noch ein Sitzungscookie',
  credentialToken: 'ein Teilnehmer-Token',
  credentialApiKey: 'ein API-Schlüssel',
  sessionEnded: 'Die Sitzung ist beendet. Melden Sie sich noch einmal an.',
  apiKeyInvalid:
    'Dieser API-Schlüssel ist nicht gültig: Er wurde gelöscht, er ist abgelaufen, oder sein Konto ist gesperrt.',
  participantTokenInvalid:
    'Dieses Teilnehmer-Token ist nicht gültig oder abgelaufen. (Ein API-Schlüssel beginnt mit tbk_.)',
  csrf: 'Der Anfrage fehlt das X-CSRF-Token ihrer Sitzung.',
  perMinute: '{most} in 1 Minute',
  openUploads: '{most} offene Uploads',
  moment: '{at} ({zone})',
  quoted: '„{name}“',
  'seconds.one': '{count} Sekunde',
  'seconds.other': '{count} Sekunden',
  'minutes.one': '{count} Minute',
  'minutes.other': '{count} Minuten',
} as const satisfies TranslationOf<typeof en>
