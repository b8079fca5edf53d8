/** The texts to the administrators of a trial about what was deleted, and about acts that need a second person, in German. */
export const deletionTexts = {
  'deletion.subject': 'Gelöscht in {trial}: {what}',
  'deletion.body':
    '{email} hat in {trial} gelöscht: {what}.\n\nDas Gelöschte wird bis {until} verborgen aufbewahrt. Bis dahin können Admins es wiederherstellen. Wenn das ein Versehen oder ein Missbrauch war: Stellen Sie es wieder her, und beenden Sie den Zugang dieses Kontos.\n',
  'deletion.purged':
    '{email} hat in {trial} gelöscht: {what}.\n\nDas Team bewahrt Gelöschtes nicht auf: Es kann nicht wiederhergestellt werden.\n',
  'deletion.purgeAsked.subject': 'Endgültiges Löschen in {trial} bestätigen',
  'deletion.purgeAsked.body':
    '{email} möchte, dass in {trial} Gelöschtes vorzeitig endgültig entfernt wird: {what}.\n\nDanach kann es nicht wiederhergestellt werden. Wenn Sie einverstanden sind, bestätigen Sie es bis {until} auf der Seite der Studie; sonst tun Sie nichts.\n',
  'second.subject': 'Eine zweite Person ist nötig in {trial}',
  'second.body':
    '{email} möchte in {trial} Folgendes: {what}.\n\nEs geschieht nur, wenn eine andere Person mit derselben Berechtigung es bis {until} bestätigt. Wenn Sie einverstanden sind, bestätigen Sie es; sonst lehnen Sie es ab oder tun nichts.\n',
  'second.unlocking': 'eine Sperre aufheben',
  'second.unblinding': 'die Studie entblinden',
  'second.erasure': 'personenbezogene Angaben löschen',
  'second.setting': 'für weniger Handlungen eine zweite Person verlangen',
  'deletion.trial': 'die ganze Studie',
  'deletion.participant': 'Teilnehmende ({number})',
  'deletion.response': 'Antworten ({number})',
  'deletion.site': 'Studienzentren ({number})',
  'deletion.file': 'Dateien des Trial Master File ({number})',
}
