/** The texts about unblindings, and who may see arms, in German. */
export const blindingTexts = {
  'unblinded.subject': '{trial}: Teilnehmer/in {participant} wurde entblindet',
  'unblinded.body':
    '{user} hat in einem Notfall eine teilnehmende Person entblindet. Diese Nachricht nennt den Arm nicht.\n\n' +
    'Studie: {trial}\nRandomisierung: {randomisation}\nTeilnehmer/in: {participant}\nGrund: {reason}\n',
  'studyUnblinded.subject': '{trial}: Die Studie wurde entblindet',
  'studyUnblinded.body':
    '{user} hat die Studie entblindet: Die Liste und die Arme aller Teilnehmenden sind jetzt sichtbar.\n\n' +
    'Studie: {trial}\nRandomisierung: {randomisation}\nGrund: {reason}\n',
  'unblindingGranted.subject': '{trial}: Jemand darf jetzt Arme sehen',
  'unblindingGranted.body':
    '{user} hat eine Berechtigung erteilt, die Arme zeigt. Die Admins dieser Studie sind verblindet.\n\n' +
    'Studie: {trial}\nPerson: {person}\nBerechtigungen: {permissions}\nGrund: {reason}\n',
  'unblindingRecipients.subject': '{trial}: Sie erfahren nicht mehr von Entblindungen',
  'unblindingRecipients.body':
    '{user} hat Sie von der Liste der Personen genommen, die von Entblindungen erfahren. Die Admins dieser Studie sind verblindet.\n\n' +
    'Studie: {trial}\nRandomisierung: {randomisation}\n',
}
