import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the pages behind links in German. */
export const de: TextsLike<typeof en> = {
  'link.ended': 'Dieser Link funktioniert nicht mehr',
  'link.endedNote':
    'Er ist abgelaufen, wurde schon benutzt, oder ein Zeichen fehlt. Bitten Sie die Person, die ihn geschickt hat, um einen neuen.',
  'link.expired': 'Die Zeit dieses Links ist vorbei',
  'link.expiredNote': 'Sie haben nichts falsch gemacht. Bitten Sie das Studienteam um einen neuen Link.',
  'link.noConnection': 'Es gibt keine Verbindung',
  'link.noConnectionNote':
    'Prüfen Sie die Verbindung dieses Geräts und versuchen Sie es noch einmal. Der Link gilt weiter.',
  'link.study': 'Studie: {study}',
  'link.close': 'Sie können diese Seite jetzt schließen.',

  'review.title': 'Ein Dokument zur Prüfung',
  'review.lead': '{who} bittet Sie, dieses Dokument der Studie „{study}“ freizugeben oder abzulehnen.',
  'review.role': 'Sie werden gefragt als: {role}',
  'review.message': 'Nachricht an Sie',
  'review.version': 'Fassung {number}',
  'review.facts': '{name}, {size}, hinzugefügt am {day}',
  'review.download': 'Herunterladen',
  'review.open': 'In neuem Tab öffnen',
  'review.document': 'Das Dokument',
  'review.noPreview': 'Dieses Dokument kann hier nicht angezeigt werden',
  'review.noPreviewNote': 'Bitte laden Sie es herunter und lesen Sie es auf Ihrem Gerät.',
  'review.hash': 'Prüfsumme (SHA-256)',
  'review.earlier': 'Frühere Versionen',
  'review.draft': 'Entwurf',
  'review.approved': 'Freigegeben',
  'review.rejected': 'Abgelehnt',
  'review.decide': 'Ihre Entscheidung',
  'review.once': 'Sie können einmal entscheiden. Der Link gilt bis {day}.',
  'review.approve': 'Ich gebe diese Version frei',
  'review.reject': 'Ich lehne diese Version ab',
  'review.comment': 'Kommentar',
  'review.commentNote': 'Wenn Sie ablehnen, sagen Sie bitte warum.',
  'review.needsComment': 'Bitte sagen Sie, warum Sie ablehnen.',
  'review.choose': 'Bitte wählen Sie eines aus.',
  'review.send': 'Entscheidung senden',
  'review.youApproved': 'Sie haben diese Version freigegeben',
  'review.youRejected': 'Sie haben diese Version abgelehnt',
  'review.recorded': 'Danke. Ihre Entscheidung ist festgehalten. Sie können diese Seite schließen.',
  'review.decidedBefore': 'Sie haben schon entschieden',
  'review.decidedBeforeNote':
    'Entschieden wird einmal. Um etwas zu ändern, bitten Sie die Person, die Ihnen geschrieben hat, um eine neue Anfrage.',
  'review.withdrawn': 'Diese Anfrage wurde zurückgezogen',
  'review.withdrawnNote': 'Ihre Entscheidung wird nicht mehr gebraucht. Sie müssen nichts tun.',
  'review.stale': 'Es gibt eine neuere Version dieses Dokuments',
  'review.staleNote':
    'Diese Version wird nicht mehr geprüft. Wenn Ihre Entscheidung gebraucht wird, bekommen Sie einen neuen Link.',
  'review.over': 'Diese Prüfung ist beendet',
  'review.overNote': 'Andere haben entschieden. Sie müssen nichts tun.',

  'stage.again': 'Sie haben dieses Formular schon gesendet',
  'stage.againNote':
    'Zu Ihrem Schutz stehen Ihre Antworten nicht hier. Was Sie jetzt antworten, ersetzt, was Sie gesendet haben.',
  'stage.notYet': 'Dieses Formular ist noch nicht offen',
  'stage.notYetNote': 'Es öffnet am {day}. Kommen Sie dann wieder: dieser Link bleibt richtig.',
  'stage.soonNote': 'Kommen Sie später wieder, oder fragen Sie Ihr Studienteam, wann es öffnet.',
  'stage.closed': 'Dieses Formular ist geschlossen',
  'stage.closedNote': 'Die Zeit dafür ist vorbei. Wenn Sie noch antworten möchten, fragen Sie Ihr Studienteam.',
  'stage.withdrawn': 'Sie nehmen nicht mehr an dieser Studie teil',
  'stage.waitingNote':
    'Sie werden gesendet, sobald es eine Verbindung gibt. Lassen Sie diese Seite offen, oder öffnen Sie den Link später noch einmal.',
  'stage.refusedNote': 'Nichts ist verloren: Ihre Antworten sind noch auf dieser Seite.',
  'stage.noFiles': 'Dieses Formular fragt nach einer Datei',
  'stage.noFilesNote':
    'Dateien können nur in der App gesendet werden. Melden Sie sich dort an, oder fragen Sie Ihr Studienteam.',
}
