import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of shared tablets in German. */
export const de = {
  'tablet.setUp': 'Dieses Gerät als gemeinsames Tablet verwenden?',
  'tablet.setUpNote':
    'Teilnehmende benutzen es dann nacheinander. Nichts von ihnen bleibt hier. Der Link gilt einmal, auf einem Gerät.',
  'tablet.setUpStart': 'Tablet einrichten',
  'tablet.setUpFailed': 'Dieser Link gilt nicht',
  'tablet.setUpFailedNote':
    'Er wurde schon benutzt oder ist abgelaufen. Erstellen Sie für das Tablet einen neuen Link.',
  'tablet.setUpWaiting':
    'Auf diesem Gerät warten Antworten einer Person. Sie muss sich hier anmelden oder ihren Link öffnen und die Antworten zuerst senden. Oder verwenden Sie einen anderen Browser.',
  'tablet.setUpSignedIn':
    '„{id}“ ist auf diesem Gerät angemeldet. Melden Sie sich zuerst ab, und öffnen Sie den Link noch einmal.',
  'tablet.setUpToSignOut': 'Zum Abmelden',
  'tablet.insecure':
    'Die Verbindung zu diesem Server ist für ein gemeinsames Tablet nicht sicher genug: Antworten könnten nicht versiegelt werden. Öffnen Sie den Link über seine https-Adresse.',
  'tablet.welcome': 'Willkommen',
  'tablet.lead': 'Geben Sie Ihre Teilnehmer-ID und Ihre PIN ein, oder scannen Sie den Code, den Sie bekommen haben.',
  'tablet.id': 'Teilnehmer-ID',
  'tablet.pin': 'Ihre PIN',
  'tablet.keys': 'Zifferntasten für die PIN',
  'tablet.delete': 'Letzte Ziffer löschen',
  'tablet.signIn': 'Anmelden',
  'tablet.signingIn': 'Sie werden angemeldet',
  'tablet.needsPin': 'Geben Sie Ihre PIN ein: 4 bis 8 Ziffern.',
  'tablet.needsId': 'Geben Sie Ihre Teilnehmer-ID ein.',
  'tablet.wrong': 'Das hat nicht geklappt. Prüfen Sie ID und PIN, oder fragen Sie das Studienteam.',
  'tablet.wait':
    'Zu viele Versuche. Bitte warten Sie einige Minuten, oder bitten Sie das Studienteam um eine neue PIN.',
  'tablet.offline':
    'Es gibt keine Verbindung, und zum Anmelden ist eine nötig: Auf diesem Tablet ist keine PIN gespeichert. Bitte fragen Sie das Studienteam.',
  'tablet.linkFailed': 'Dieser Code gilt hier nicht. Bitten Sie das Studienteam um einen neuen.',
  'tablet.waiting.one': '{count} Antwortbogen wartet auf das Senden. Er ist versiegelt und sicher.',
  'tablet.waiting.other': '{count} Antwortbögen warten auf das Senden. Sie sind versiegelt und sicher.',
  'tablet.staff': 'Für das Personal',
  'tablet.ended': 'Dieses Tablet wurde beendet',
  'tablet.expired': 'Die Zeit dieses Tablets ist abgelaufen',
  'tablet.endedNote': 'Niemand kann sich hier anmelden. Das Studienteam kann einen neuen Link erstellen.',
  'tablet.other': 'Die App ist in einem anderen Fenster offen. Machen Sie dort weiter, oder schließen Sie es.',
  'tablet.signedInAs': 'Angemeldet als',
  'tablet.signOut': 'Ich bin fertig',
  'tablet.signOutTitle': 'Von diesem Tablet abmelden?',
  'tablet.signOutNote':
    'Nichts von Ihnen bleibt auf diesem Tablet. Was noch zu senden ist, ist versiegelt und wird später gesendet.',
  'tablet.begun.one': 'Sie haben {count} Formular begonnen und nicht gesendet.',
  'tablet.begun.other': 'Sie haben {count} Formulare begonnen und nicht gesendet.',
  'tablet.begunNote':
    'Das Studienteam kann bekommen, was Sie geantwortet haben, als nicht beendet gekennzeichnet. Oder es wird gelöscht.',
  'tablet.messages': 'Eine Nachricht, die noch nicht gesendet ist, wird gelöscht.',
  'tablet.handOver': 'Dem Studienteam geben und abmelden',
  'tablet.drop': 'Löschen und abmelden',
  'tablet.leaving': 'Sie werden abgemeldet',
  'tablet.idle': 'Sind Sie noch da?',
  'tablet.idleNote.one': 'Sie werden in {count} Sekunde abgemeldet.',
  'tablet.idleNote.other': 'Sie werden in {count} Sekunden abgemeldet.',
  'tablet.idleDrafts': 'Was Sie begonnen haben, bekommt das Studienteam, als nicht beendet gekennzeichnet.',
  'tablet.stay': 'Ich bin noch da',
  'tablet.staffTitle': 'Dieses Tablet',
  'tablet.name': 'Bezeichnung',
  'tablet.study': 'Studie',
  'tablet.site': 'Zentrum',
  'tablet.unsent': 'Noch zu senden',
  'tablet.sendNow': 'Jetzt senden',
  'tablet.notTaken.one': '{count} Antwortbogen kann die Studie nicht annehmen',
  'tablet.notTaken.other': '{count} Antwortbögen kann die Studie nicht annehmen',
  'tablet.remove': 'Löschen, was nicht angenommen wird',
  'tablet.removeTitle': 'Diese Antworten endgültig löschen?',
  'tablet.removeNote': 'Niemand kann sie lesen, und sie sind nirgends sonst.',
  'tablet.leave': 'Nicht mehr gemeinsames Tablet',
  'tablet.leaveNote':
    'Beenden Sie zuerst dieses Tablet in der Studie, und lassen Sie alles senden. Dann kann wieder eine einzelne Person dieses Gerät benutzen.',
  'tablet.noWindows': 'Das öffnet sich nur auf einem eigenen Gerät, damit nichts von Ihnen auf diesem Tablet bleibt.',
  'tablet.back': 'Zurück',
} satisfies TextsLike<typeof en>
