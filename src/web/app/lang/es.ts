import { frame } from '#web/app/lang/frame/es'
import { home } from '#web/app/lang/home/es'
import { pages } from '#web/app/lang/pages/es'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in Spanish. */
export const es = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Esta página no existe',
  'app.toStart': 'Ir al inicio',

  'form.search': 'Buscar entre las opciones',
  'form.found.one': '{count} opción',
  'form.found.other': '{count} opciones',
  'form.clear': 'Quitar la respuesta',
  'form.clearOf': 'Quitar la respuesta a «{question}»',
  'form.notAnswered': 'Aún sin respuesta',
  'form.notApplicable': 'No procede',
  'form.height': 'Altura',
  'form.weight': 'Peso',
  'form.bmi': 'Índice de masa corporal: {value}',
  'form.notYet': 'Se obtiene de sus respuestas',
  'form.row': 'Entrada {number}',
  'form.addRow': 'Añadir una entrada',
  'form.removeRow': 'Quitar esta entrada',
  'form.removeRowOf': 'Quitar esta entrada: {number} de «{question}»',
  'form.choose.file': 'Elegir un archivo',
  'form.choose.image': 'Hacer o elegir una foto',
  'form.choose.video': 'Grabar o elegir un vídeo',
  'form.replace': 'Sustituir',
  'form.remove': 'Quitar',
  'form.removeFile': 'Quitar {name}',
  'form.tooLarge': 'Este archivo ocupa {size}. Se puede enviar como máximo {most}.',
  'form.wrongType': 'Este tipo de archivo no sirve aquí. Se admite: {types}.',
  'form.required': 'Requiere respuesta',
  'form.known': 'Ya respondió a esto. Responda de nuevo solo si quiere cambiarlo.',
  'form.earlier': 'Sus respuestas anteriores',
  'form.elsewhere': 'Este formulario está abierto en otra ventana. Rellénelo allí o ciérrela primero.',
  'form.progress': 'Su avance',
  'form.faults': 'Revise estas respuestas',
  'form.back': 'Atrás',
  'form.next': 'Siguiente',
  'form.send': 'Enviar',
  'form.gone': 'Este formulario no se puede rellenar ahora',
  'form.notHere': 'Este formulario aún no está en su dispositivo',
  'form.notHereNote': 'Ábralo una vez con conexión. Después funciona sin ella.',
  'form.tryAgain': 'Volver a intentarlo',
  'form.noRoom':
    'Este dispositivo no ha guardado sus respuestas. Deje esta página abierta, libere espacio y vuelva a intentarlo.',
  'form.afreshTitle': '¿Empezar este formulario de nuevo?',
  'form.afreshNote': 'Las respuestas que aún no ha enviado se quitarán de este dispositivo.',
  'form.kept': 'Sus respuestas de antes siguen aquí',
  'form.changed': 'El equipo del estudio ha cambiado este formulario. Sus respuestas que aún sirven están aquí.',
  'form.afresh': 'Empezar de nuevo',
  'form.toStart': 'A la página de inicio',
  'form.stored': 'Gracias. Sus respuestas han llegado.',
  'form.waiting': 'Sus respuestas están guardadas en este dispositivo',
  'form.waitingNote': 'Se enviarán en cuanto haya conexión. No tiene que hacer nada.',
  'form.refused': 'Sus respuestas no se han podido aceptar así',
  'form.refusedNote':
    'No se ha perdido nada: están en este dispositivo. Puede corregirlas y enviarlas de nuevo, o preguntar al equipo del estudio.',
  'form.mend': 'Corregir las respuestas',

  'queue.newVersion': 'Hay una nueva versión de esta aplicación.',
  'queue.takeOver': 'Usarla ahora',
} as const satisfies TextsLike<typeof en>
