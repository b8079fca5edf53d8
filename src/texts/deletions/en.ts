/** The texts to the administrators of a trial about what was deleted, and about acts that need a second person, in English. See `../en.ts`. */
export const deletionTexts = {
  'deletion.subject': 'Deleted in {trial}: {what}',
  'deletion.body':
    '{email} deleted in {trial}: {what}.\n\nIt is kept hidden until {until}, and an administrator can restore it until then. If this should not have happened, restore it, and end the access of that account.\n',
  'deletion.purged':
    '{email} deleted in {trial}: {what}.\n\nThe team keeps nothing of what is deleted: it cannot be restored.\n',
  'deletion.purgeAsked.subject': 'Confirm a purge in {trial}',
  'deletion.purgeAsked.body':
    '{email} asks that what was deleted in {trial} is purged before its time: {what}.\n\nAfter that it cannot be restored. If you agree, confirm it on the page of the study; else do nothing.\n',
  'second.subject': 'A second person is needed in {trial}',
  'second.body':
    '{email} asks for this in {trial}: {what}.\n\nIt is done only if another person with the same permission confirms it, by {until}. If you agree, confirm it; if not, refuse it or do nothing.\n',
  'second.unlocking': 'lift a lock',
  'second.unblinding': 'unblind the study',
  'second.erasure': 'erase personal information',
  'second.setting': 'need a second person for fewer acts',
  'deletion.trial': 'the whole study',
  'deletion.participant': 'participants ({number})',
  'deletion.response': 'responses ({number})',
  'deletion.site': 'sites ({number})',
  'deletion.file': 'files of the trial master file ({number})',
} as const
