import type { TextsLike } from '#web/kit/language/catalogue'
import type { withdraw as en } from './en'

/** The texts of the withdrawal of a consent in Spanish. */
export const withdraw: TextsLike<typeof en> = {
  'withdraw.title': 'Retirar su consentimiento',
  'withdraw.lead':
    'Puede retirarlo en cualquier momento, sin dar razones y sin ninguna desventaja. Gracias por lo que ha hecho por el estudio.',
  'withdraw.how': 'Escriba la dirección que confirmó al dar su consentimiento. Le enviamos allí una clave.',
  'withdraw.help':
    'Si no confirmó ninguna dirección, o ya no la tiene, diga al equipo del estudio que quiere retirar su consentimiento.',
  'withdraw.sent': 'Si alguien dio su consentimiento con {address}, hay una clave en camino. Vale durante 10 minutos.',
  'withdraw.spokenNote':
    'Si no llega ningún mensaje, el estudio no los envía por sí mismo: pida al equipo del estudio la clave de {address}.',
  'withdraw.none': 'No se dio ningún consentimiento con esta dirección',
  'withdraw.noneNote': 'Quizá usó otra. El equipo del estudio puede ayudarle.',
  'withdraw.which': '¿Qué consentimiento quiere retirar?',
  'withdraw.yours': 'Sus consentimientos',
  'withdraw.given': '{name}, dado el {day}',
  'withdraw.givenOn': 'Dado el {day}',
  'withdraw.before': 'Retirado el {day}',
  'withdraw.reason': '¿Quiere decirnos por qué?',
  'withdraw.reasonNote': 'No es obligatorio. Lo lee el equipo del estudio.',
  'withdraw.data': '¿Qué debe pasar con sus datos?',
  'withdraw.keep': 'Conservarlos',
  'withdraw.keepNote': 'El estudio sigue usando lo que usted ha aportado hasta ahora.',
  'withdraw.erase': 'Borrar lo que revela quién soy',
  'withdraw.eraseNote':
    'Se borran su nombre, sus direcciones y otros datos personales. Sus respuestas se conservan sin esos datos.',
  'withdraw.delete': 'Eliminar mis respuestas',
  'withdraw.deleteNote': 'Se eliminan las respuestas que usted ha dado.',
  'withdraw.still':
    'Usted ha dado otro consentimiento a este estudio. Retírelo también para que sus datos puedan eliminarse.',
  'withdraw.send': 'Retirar mi consentimiento',
  'withdraw.choose': 'Elija al menos uno, por favor.',
  'withdraw.all': 'Ya lo ha retirado todo',
  'withdraw.done': 'Su consentimiento está retirado',
  'withdraw.doneNote':
    'Gracias por el tiempo y la confianza que ha dado al estudio. El equipo del estudio ya lo sabe y le dice cómo sigue. Puede cerrar esta página.',
  'withdraw.ended': 'Ha tardado demasiado',
  'withdraw.endedNote':
    'Por su seguridad, la página funciona durante una hora. No se retiró nada. Empiece de nuevo, por favor.',
}
