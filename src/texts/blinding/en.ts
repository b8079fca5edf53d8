/** The texts about unblindings, and who may see arms, in English. See `../en.ts`. */
export const blindingTexts = {
  'unblinded.subject': '{trial}: participant {participant} was unblinded',
  'unblinded.body':
    '{user} unblinded a participant in an emergency. This message does not say the arm.\n\n' +
    'Study: {trial}\nRandomisation: {randomisation}\nParticipant: {participant}\nReason: {reason}\n',
  'studyUnblinded.subject': '{trial}: the study was unblinded',
  'studyUnblinded.body':
    '{user} unblinded the study: its list and the arms of all participants are visible now.\n\n' +
    'Study: {trial}\nRandomisation: {randomisation}\nReason: {reason}\n',
  'unblindingGranted.subject': '{trial}: somebody may see arms now',
  'unblindingGranted.body':
    '{user} granted a permission that shows arms. The admins of this study are blinded.\n\n' +
    'Study: {trial}\nPerson: {person}\nPermissions: {permissions}\nReason: {reason}\n',
  'unblindingRecipients.subject': '{trial}: you are no longer told of unblindings',
  'unblindingRecipients.body':
    '{user} took you off the list of people who are told of unblindings. The admins of this study are blinded.\n\n' +
    'Study: {trial}\nRandomisation: {randomisation}\n',
} as const
