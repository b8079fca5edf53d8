/** The texts about unblindings, and who may see arms, in Spanish. */
export const blindingTexts = {
  'unblinded.subject': '{trial}: se ha abierto el ciego del participante {participant}',
  'unblinded.body':
    '{user} ha abierto el ciego de un participante por una urgencia. Este mensaje no indica el brazo.\n\n' +
    'Estudio: {trial}\nAleatorización: {randomisation}\nParticipante: {participant}\nMotivo: {reason}\n',
  'studyUnblinded.subject': '{trial}: se ha abierto el ciego del estudio',
  'studyUnblinded.body':
    '{user} ha abierto el ciego del estudio: la lista y los brazos de todos los participantes ya son visibles.\n\n' +
    'Estudio: {trial}\nAleatorización: {randomisation}\nMotivo: {reason}\n',
  'unblindingGranted.subject': '{trial}: alguien puede ver ahora los brazos',
  'unblindingGranted.body':
    '{user} ha concedido un permiso que muestra los brazos. Los administradores de este estudio están cegados.\n\n' +
    'Estudio: {trial}\nPersona: {person}\nPermisos: {permissions}\nMotivo: {reason}\n',
  'unblindingRecipients.subject': '{trial}: ya no se le avisa de las aperturas del ciego',
  'unblindingRecipients.body':
    '{user} le ha quitado de la lista de personas a las que se avisa de las aperturas del ciego. Los administradores de este estudio están cegados.\n\n' +
    'Estudio: {trial}\nAleatorización: {randomisation}\n',
}
