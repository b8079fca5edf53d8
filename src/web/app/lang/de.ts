import { frame } from '#web/app/lang/frame/de'
import { home } from '#web/app/lang/home/de'
import { pages } from '#web/app/lang/pages/de'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in German. */
export const de = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Diese Seite gibt es nicht',
  'app.toStart': 'Zum Anfang',

  'form.search': 'Optionen durchsuchen',
  'form.found.one': '{count} Option',
  'form.found.other': '{count} Optionen',
  'form.clear': 'Antwort entfernen',
  'form.clearOf': 'Antwort entfernen: „{question}“',
  'form.notAnswered': 'Noch keine Antwort',
  'form.notApplicable': 'Trifft nicht zu',
  'form.height': 'Größe',
  'form.weight': 'Gewicht',
  'form.bmi': 'Body-Mass-Index: {value}',
  'form.notYet': 'Ergibt sich aus Ihren Antworten',
  'form.row': 'Eintrag {number}',
  'form.addRow': 'Eintrag hinzufügen',
  'form.removeRow': 'Diesen Eintrag entfernen',
  'form.removeRowOf': 'Diesen Eintrag entfernen: {number} von „{question}“',
  'form.choose.file': 'Datei auswählen',
  'form.choose.image': 'Foto aufnehmen oder auswählen',
  'form.choose.video': 'Video aufnehmen oder auswählen',
  'form.replace': 'Ersetzen',
  'form.remove': 'Entfernen',
  'form.removeFile': 'Entfernen: {name}',
  'form.tooLarge': 'Diese Datei hat {size}. Höchstens {most} können gesendet werden.',
  'form.wrongType': 'Diese Art von Datei passt hier nicht. Erlaubt sind: {types}.',
  'form.required': 'Bitte beantworten',
  'form.known': 'Das haben Sie schon beantwortet. Antworten Sie nur, wenn Sie es ändern möchten.',
  'form.earlier': 'Ihre früheren Antworten',
  'form.elsewhere':
    'Dieses Formular ist in einem anderen Fenster offen. Füllen Sie es dort aus, oder schließen Sie es dort zuerst.',
  'form.progress': 'So weit sind Sie',
  'form.faults': 'Bitte sehen Sie sich diese Antworten noch einmal an',
  'form.back': 'Zurück',
  'form.next': 'Weiter',
  'form.send': 'Absenden',
  'form.gone': 'Dieses Formular kann jetzt nicht ausgefüllt werden',
  'form.notHere': 'Dieses Formular ist noch nicht auf Ihrem Gerät',
  'form.notHereNote': 'Öffnen Sie es einmal mit Verbindung. Danach geht es auch ohne.',
  'form.tryAgain': 'Noch einmal versuchen',
  'form.noRoom':
    'Dieses Gerät hat Ihre Antworten nicht gespeichert. Lassen Sie diese Seite offen, schaffen Sie etwas Platz, und versuchen Sie es noch einmal.',
  'form.afreshTitle': 'Dieses Formular neu beginnen?',
  'form.afreshNote': 'Die Antworten, die Sie noch nicht abgesendet haben, werden von diesem Gerät entfernt.',
  'form.kept': 'Ihre Antworten von vorhin sind noch da',
  'form.changed':
    'Das Studienteam hat dieses Formular inzwischen geändert. Ihre Antworten, die noch passen, sind hier.',
  'form.afresh': 'Neu beginnen',
  'form.toStart': 'Zur Startseite',
  'form.stored': 'Danke. Ihre Antworten sind angekommen.',
  'form.waiting': 'Ihre Antworten sind auf diesem Gerät gespeichert',
  'form.waitingNote': 'Sie werden gesendet, sobald es eine Verbindung gibt. Sie müssen nichts tun.',
  'form.refused': 'Ihre Antworten konnten so nicht angenommen werden',
  'form.refusedNote':
    'Nichts ist verloren: Sie sind auf diesem Gerät. Sie können sie verbessern und noch einmal senden, oder das Studienteam fragen.',
  'form.mend': 'Antworten verbessern',

  'queue.fileGone':
    'Eine Datei dieser Antworten ist nicht mehr auf diesem Gerät. Bitte wählen Sie sie noch einmal aus.',
  'queue.newVersion': 'Eine neue Version dieser App ist bereit.',
  'queue.takeOver': 'Jetzt verwenden',
} as const satisfies TextsLike<typeof en>
