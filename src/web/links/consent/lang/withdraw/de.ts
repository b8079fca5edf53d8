import type { TextsLike } from '#web/kit/language/catalogue'
import type { withdraw as en } from './en'

/** The texts of the withdrawal of a consent in German. */
export const withdraw: TextsLike<typeof en> = {
  'withdraw.title': 'Einwilligung widerrufen',
  'withdraw.lead':
    'Sie können jederzeit widerrufen, ohne Gründe und ohne Nachteile. Danke für alles, was Sie für die Studie getan haben.',
  'withdraw.how':
    'Geben Sie die Adresse ein, die Sie bei der Einwilligung bestätigt haben. Dorthin schicken wir einen Code.',
  'withdraw.help':
    'Wenn Sie keine Adresse bestätigt haben oder sie nicht mehr haben, sagen Sie bitte dem Studienteam, dass Sie widerrufen möchten.',
  'withdraw.sent': 'Wenn jemand mit {address} eingewilligt hat, ist ein Code dorthin unterwegs. Er gilt 10 Minuten.',
  'withdraw.spokenNote':
    'Wenn keine Nachricht kommt, verschickt die Studie selbst keine: Bitte fragen Sie das Studienteam nach dem Code für {address}.',
  'withdraw.none': 'Mit dieser Adresse hat niemand eingewilligt',
  'withdraw.noneNote': 'Vielleicht haben Sie eine andere verwendet. Das Studienteam hilft Ihnen weiter.',
  'withdraw.which': 'Welche Einwilligung möchten Sie widerrufen?',
  'withdraw.yours': 'Ihre Einwilligungen',
  'withdraw.given': '{name}, gegeben am {day}',
  'withdraw.givenOn': 'Gegeben am {day}',
  'withdraw.before': 'Widerrufen am {day}',
  'withdraw.reason': 'Möchten Sie uns sagen, warum?',
  'withdraw.reasonNote': 'Sie müssen nicht. Das Studienteam liest es.',
  'withdraw.data': 'Was soll mit Ihren Daten geschehen?',
  'withdraw.keep': 'Behalten',
  'withdraw.keepNote': 'Die Studie verwendet weiter, was Sie ihr bisher mitgeteilt haben.',
  'withdraw.erase': 'Löschen, was verrät, wer ich bin',
  'withdraw.eraseNote':
    'Ihr Name, Ihre Adressen und andere persönliche Angaben werden gelöscht. Ihre Antworten bleiben ohne diese Angaben erhalten.',
  'withdraw.delete': 'Meine Antworten löschen',
  'withdraw.deleteNote': 'Die Antworten, die Sie gegeben haben, werden gelöscht.',
  'withdraw.still':
    'Sie haben noch eine andere Einwilligung zu dieser Studie gegeben. Widerrufen Sie auch diese, bevor Ihre Daten gelöscht werden können.',
  'withdraw.send': 'Einwilligung widerrufen',
  'withdraw.choose': 'Bitte wählen Sie mindestens eine.',
  'withdraw.all': 'Sie haben schon alles widerrufen',
  'withdraw.done': 'Ihre Einwilligung ist widerrufen',
  'withdraw.doneNote':
    'Danke für die Zeit und das Vertrauen, die Sie der Studie geschenkt haben. Das Studienteam weiß jetzt davon und sagt Ihnen, wie es weitergeht. Sie können diese Seite schließen.',
  'withdraw.ended': 'Das hat zu lange gedauert',
  'withdraw.endedNote':
    'Zu Ihrer Sicherheit gilt die Seite eine Stunde lang. Es wurde nichts widerrufen. Bitte beginnen Sie neu.',
}
