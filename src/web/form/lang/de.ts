import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** What is said around forms, in German. */
export const de = {
  'form.goneNote':
    'Vielleicht ist die Zeit dafür vorbei, oder sie kommt noch. Wenn Sie es erwartet haben, fragen Sie bitte Ihr Studienteam.',
  'form.noRoom':
    'Dieses Gerät hat Ihre Antworten nicht gespeichert. Lassen Sie diese Seite offen, schaffen Sie etwas Platz, und versuchen Sie es noch einmal.',
  'form.stored': 'Danke. Ihre Antworten sind angekommen.',
  'form.waiting': 'Ihre Antworten sind auf diesem Gerät gespeichert',
  'form.refused': 'Ihre Antworten konnten so nicht angenommen werden',
  'form.fileGone': 'Eine Datei dieser Antworten ist nicht mehr auf diesem Gerät. Bitte wählen Sie sie noch einmal aus.',
  'form.notLoaded': 'Diese Seite ist noch nicht auf Ihrem Gerät',
  'form.notLoadedNote': 'Beim ersten Mal braucht sie eine Verbindung.',

  'refusal.closed': 'Das Formular war schon geschlossen, als Ihre Antworten ankamen.',
  'refusal.notOpenYet': 'Dieses Formular ist noch nicht geöffnet.',
  'refusal.withdrawn': 'Sie haben Ihre Teilnahme beendet. Deshalb wird nichts mehr erfasst.',
  'refusal.archived': 'Sie nehmen an dieser Studie nicht mehr teil.',
  'refusal.locked': 'Die Studie nimmt zurzeit keine Antworten an.',
  'refusal.tooMany': 'Zu viele Versuche. Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  'refusal.consentWithdrawn': 'Sie haben Ihre Einwilligung widerrufen',
  'refusal.consentMissing': 'Bitte unterschreiben Sie zuerst die Einwilligung',
  'refusal.consentOutdated': 'Bitte unterschreiben Sie die neue Einwilligung',

  'said.urgent': 'Wichtig',
  'said.read': 'Ich habe das gelesen',
} as const satisfies TextsLike<typeof en>
