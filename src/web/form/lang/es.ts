import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** What is said around forms, in Spanish. */
export const es = {
  'form.goneNote':
    'Puede que haya terminado o que todavía no se haya abierto. Si lo esperaba, pregunte al equipo del estudio.',
  'form.noRoom':
    'Este dispositivo no ha guardado sus respuestas. Deje esta página abierta, libere espacio y vuelva a intentarlo.',
  'form.stored': 'Gracias. Sus respuestas han llegado.',
  'form.waiting': 'Sus respuestas están guardadas en este dispositivo',
  'form.refused': 'Sus respuestas no se han podido aceptar así',
  'form.fileGone': 'Un archivo de estas respuestas ya no está en este dispositivo. Vuelva a elegirlo, por favor.',
  'form.notLoaded': 'Esta página aún no está en su dispositivo',
  'form.notLoadedNote': 'La primera vez necesita conexión.',

  'refusal.closed': 'El formulario ya estaba cerrado cuando llegaron sus respuestas.',
  'refusal.notOpenYet': 'Este formulario todavía no está abierto.',
  'refusal.withdrawn': 'Usted ha dejado el estudio, por lo que no se recoge nada más.',
  'refusal.archived': 'Usted ya no participa en este estudio.',
  'refusal.locked': 'El estudio no acepta respuestas en este momento.',
  'refusal.tooMany': 'Demasiados intentos. Espere un minuto e inténtelo de nuevo.',
  'refusal.consentWithdrawn': 'Usted ha retirado su consentimiento',
  'refusal.consentMissing': 'Firme primero el consentimiento',
  'refusal.consentOutdated': 'Firme el nuevo consentimiento',

  'said.urgent': 'Importante',
  'said.read': 'Lo he leído',
} as const satisfies TextsLike<typeof en>
