/** The texts to the administrators of a trial about what was deleted, and about acts that need a second person, in Spanish. */
export const deletionTexts = {
  'deletion.subject': 'Eliminado en {trial}: {what}',
  'deletion.body':
    '{email} ha eliminado en {trial}: {what}.\n\nLo eliminado se conserva oculto hasta el {until}. Hasta entonces, un administrador puede restaurarlo. Si esto no debía ocurrir, restáurelo y retire el acceso de esa cuenta.\n',
  'deletion.purged':
    '{email} ha eliminado en {trial}: {what}.\n\nEl equipo no conserva nada de lo eliminado: no se puede restaurar.\n',
  'deletion.purgeAsked.subject': 'Confirme una eliminación definitiva en {trial}',
  'deletion.purgeAsked.body':
    '{email} pide que lo eliminado en {trial} se borre definitivamente antes de tiempo: {what}.\n\nDespués no se podrá restaurar. Si está de acuerdo, confírmelo en la página del estudio; si no, no haga nada.\n',
  'second.subject': 'Hace falta una segunda persona en {trial}',
  'second.body':
    '{email} solicita lo siguiente en {trial}: {what}.\n\nSolo se hará si otra persona con el mismo permiso lo confirma antes del {until}. Si está de acuerdo, confírmelo; si no, rechácelo o no haga nada.\n',
  'second.unlocking': 'levantar un bloqueo',
  'second.unblinding': 'abrir el ciego del estudio',
  'second.erasure': 'borrar datos personales',
  'second.setting': 'exigir una segunda persona para menos acciones',
  'deletion.trial': 'todo el estudio',
  'deletion.participant': 'participantes ({number})',
  'deletion.response': 'respuestas ({number})',
  'deletion.site': 'centros ({number})',
  'deletion.file': 'archivos del archivo maestro del ensayo ({number})',
}
