/** The texts to the holder of an account, whatever the trial, in Spanish. */
export const accountTexts = {
  'account.invitation.subject': 'Su cuenta para {team}',
  'account.invitation.body':
    'Hola, {name}:\n\nLe invitamos a unirse a {team}. Elija aquí su contraseña en un plazo de {hours} horas:\n{url}\n',
  'account.joined.subject': 'Ya forma parte de {team}',
  'account.joined.body': 'Hola, {name}:\n\nYa forma parte de {team}. Inicie sesión con su cuenta:\n{url}\n',
  'account.reset.subject': 'Nueva contraseña',
  'account.reset.body':
    'Hola, {name}:\n\nAlguien, probablemente usted, ha pedido una contraseña nueva. Elíjala aquí en el plazo de una hora:\n{url}\n\n' +
    'Si no ha sido usted, no tiene que hacer nada.\n',
  'account.newAddress.subject': 'Su código: {code}',
  'account.newAddress.body':
    'Hola, {name}:\n\nAlguien, probablemente usted, quiere usar esta dirección para la cuenta {email}. El código es {code}. Es válido durante {minutes} minutos.\n\nSi no ha sido usted, no tiene que hacer nada.\n',
  'account.addressChanged.subject': 'Su cuenta tiene una dirección nueva',
  'account.addressChanged.body':
    'Hola, {name}:\n\nLa dirección de correo de su cuenta es ahora {email}. Con ella inicia sesión, y los correos llegan allí. Todas las demás sesiones han terminado.\n\nSi no ha sido usted, avise enseguida a la persona que administra el servidor.\n',
  'account.passwordChanged.subject': 'Se ha cambiado su contraseña',
  'account.passwordChanged.body':
    'Hola, {name}:\n\nSe ha cambiado la contraseña de su cuenta. Todas las demás sesiones han terminado.\n\nSi no ha sido usted, pida enseguida una contraseña nueva en la página de inicio de sesión y avise a la persona que administra el servidor.\n',
  'account.twoStepOff.subject': 'Se ha desactivado el inicio de sesión en dos pasos',
  'account.twoStepOff.body':
    'Hola, {name}:\n\nSe ha desactivado el inicio de sesión en dos pasos de su cuenta: ahora basta la contraseña.\n\nSi no ha sido usted, cambie enseguida su contraseña y avise a la persona que administra el servidor.\n',
  'account.recoveryCode.subject': 'Se ha usado un código de recuperación',
  'account.recoveryCode.body':
    'Hola, {name}:\n\nAlguien, probablemente usted, ha iniciado sesión en su cuenta con un código de recuperación. Códigos que quedan: {left}.\n\nSi no ha sido usted, cambie enseguida su contraseña y avise a la persona que administra el servidor.\n',
  'account.clock.subject': 'El reloj del servidor ha dado un salto',
  'account.clock.body':
    'El reloj de la máquina en la que funciona Trialbox ({url}) pasó de {from} a {to}. El servidor continúa con su propia hora. Funciona, pero no envía recordatorios ni elimina nada hasta {until}; después sigue la nueva hora si se ha mantenido.\n\n¿Es correcta la nueva hora? Ejecute «trialbox clock accept» y el servidor la seguirá de inmediato. ¿Es errónea? Ponga el reloj en hora antes de ese momento.\n',
  'account.clock.followed':
    'El reloj de la máquina en la que funciona Trialbox ({url}) pasó de {from} a {to}. El servidor sigue la nueva hora, porque acababa de arrancar. Compruebe que el reloj es correcto ahora. Lo que se escribió antes lleva la hora anterior.\n',
}
