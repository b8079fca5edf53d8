import type { TextsLike } from '#web/kit/language/catalogue'
import { frame } from '#web/participant/lang/frame/de'
import { home } from '#web/participant/lang/home/de'
import { pages } from '#web/participant/lang/pages/de'
import type { en } from './en'

/** The texts of the app of participants in German. */
export const de = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.toStart': 'Zum Anfang',

  'form.gone': 'Dieses Formular kann jetzt nicht ausgefüllt werden',
  'form.notHere': 'Dieses Formular ist noch nicht auf Ihrem Gerät',
  'form.notHereNote': 'Öffnen Sie es einmal mit Verbindung. Danach geht es auch ohne.',
  'form.tryAgain': 'Noch einmal versuchen',
  'form.afreshTitle': 'Dieses Formular neu beginnen?',
  'form.afreshNote': 'Die Antworten, die Sie noch nicht abgesendet haben, werden von diesem Gerät entfernt.',
  'form.kept': 'Ihre Antworten von vorhin sind noch da',
  'form.changed':
    'Das Studienteam hat dieses Formular inzwischen geändert. Ihre Antworten, die noch passen, sind hier.',
  'form.afresh': 'Neu beginnen',
  'form.toStart': 'Zur Startseite',
  'form.waitingNote': 'Sie werden gesendet, sobald es eine Verbindung gibt. Sie müssen nichts tun.',
  'form.refusedNote':
    'Nichts ist verloren: Ihre Antworten sind auf diesem Gerät. Sie können sie korrigieren und noch einmal senden oder das Studienteam fragen.',
  'form.endsSoon': 'Sie können dieses Formular bis {time} ausfüllen.',
  'form.ended': 'Die Zeit für dieses Formular ist vorbei',
  'form.endedDone': 'Sie haben dieses Formular ausgefüllt',
  'form.endedAsk':
    'Es kann nicht mehr ausgefüllt oder geändert werden. Wenn Sie das noch möchten, schreiben Sie bitte Ihrem Studienteam.',
  'form.endedNote':
    'Was Sie vorher beantwortet haben, zählt: Bitte senden Sie es. Haben Sie etwas erst danach beantwortet, entscheidet Ihr Studienteam, was damit geschieht.',
  'form.goneSend': 'Wenn Sie es trotzdem senden, entscheidet Ihr Studienteam, was mit Ihren Antworten geschieht.',
  'form.refusedHeld':
    'Nichts ist verloren: Ihr Studienteam bekommt Ihre Antworten und entscheidet, was damit geschieht.',
  'form.refusedKept': 'Ihre Antworten wurden nicht gesendet. Sie bleiben auf diesem Gerät, bis Sie sie entfernen.',
  'form.mend': 'Antworten korrigieren',

  'queue.newVersion': 'Eine neue Version dieser App ist bereit.',
  'queue.takeOver': 'Jetzt verwenden',
} as const satisfies TextsLike<typeof en>
