/** The texts about unblindings, and who may see arms, in French. */
export const blindingTexts = {
  'unblinded.subject': '{trial} : l’aveugle a été levé pour le participant {participant}',
  'unblinded.body':
    '{user} a levé l’aveugle pour un participant en urgence. Ce message n’indique pas le bras.\n\n' +
    'Étude : {trial}\nRandomisation : {randomisation}\nParticipant : {participant}\nMotif : {reason}\n',
  'studyUnblinded.subject': '{trial} : l’aveugle de l’étude a été levé',
  'studyUnblinded.body':
    '{user} a levé l’aveugle de l’étude : la liste et les bras de tous les participants sont désormais visibles.\n\n' +
    'Étude : {trial}\nRandomisation : {randomisation}\nMotif : {reason}\n',
  'unblindingGranted.subject': '{trial} : quelqu’un peut désormais voir les bras',
  'unblindingGranted.body':
    '{user} a accordé une autorisation qui montre les bras. Les administrateurs de cette étude sont en aveugle.\n\n' +
    'Étude : {trial}\nPersonne : {person}\nAutorisations : {permissions}\nMotif : {reason}\n',
  'unblindingRecipients.subject': '{trial} : vous n’êtes plus informé des levées d’aveugle',
  'unblindingRecipients.body':
    '{user} vous a retiré de la liste des personnes informées des levées d’aveugle. Les administrateurs de cette étude sont en aveugle.\n\n' +
    'Étude : {trial}\nRandomisation : {randomisation}\n',
}
