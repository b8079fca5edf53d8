import type { TextsLike } from '#web/kit/language/catalogue'
import { frame } from '#web/participant/lang/frame/es'
import { home } from '#web/participant/lang/home/es'
import { pages } from '#web/participant/lang/pages/es'
import type { en } from './en'

/** The texts of the app of participants in Spanish. */
export const es = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Esta página no existe',
  'app.toStart': 'Ir al inicio',

  'form.gone': 'Este formulario no se puede rellenar ahora',
  'form.notHere': 'Este formulario aún no está en su dispositivo',
  'form.notHereNote': 'Ábralo una vez con conexión. Después funciona sin ella.',
  'form.tryAgain': 'Volver a intentarlo',
  'form.afreshTitle': '¿Empezar este formulario de nuevo?',
  'form.afreshNote': 'Las respuestas que aún no ha enviado se quitarán de este dispositivo.',
  'form.kept': 'Sus respuestas de antes siguen aquí',
  'form.changed': 'El equipo del estudio ha cambiado este formulario. Sus respuestas que aún sirven están aquí.',
  'form.afresh': 'Empezar de nuevo',
  'form.toStart': 'A la página de inicio',
  'form.waitingNote': 'Se enviarán en cuanto haya conexión. No tiene que hacer nada.',
  'form.refusedNote':
    'No se ha perdido nada: están en este dispositivo. Puede corregirlas y enviarlas de nuevo, o preguntar al equipo del estudio.',
  'form.endsSoon': 'Puede rellenar este formulario hasta: {time}.',
  'form.ended': 'El plazo de este formulario ha terminado',
  'form.endedDone': 'Ya ha rellenado este formulario',
  'form.endedAsk': 'Ya no se puede rellenar ni cambiar. Si aún quiere hacerlo, escriba al equipo del estudio.',
  'form.endedNote':
    'Lo que respondió antes cuenta: envíelo, por favor. Si respondió algo después, el equipo del estudio decide qué hacer con ello.',
  'form.goneSend': 'Si lo envía de todos modos, el equipo del estudio decide qué hacer con sus respuestas.',
  'form.refusedHeld':
    'No se ha perdido nada: el equipo del estudio recibe sus respuestas y decide qué hacer con ellas.',
  'form.refusedKept': 'Sus respuestas no se han enviado. Se quedan en este dispositivo hasta que las elimine.',
  'form.mend': 'Corregir las respuestas',

  'queue.newVersion': 'Hay una nueva versión de esta aplicación.',
  'queue.takeOver': 'Usarla ahora',
} as const satisfies TextsLike<typeof en>
