import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the components and the frame of pages in Spanish. */
export const es = {
  'site.skip': 'Ir al contenido',
  'site.pages': 'Páginas',
  'site.manual': 'Manual',
  'site.api': 'API',
  'site.account': 'Cuenta',
  'site.language': 'Idioma',
  'site.needsScript':
    'Esta página necesita JavaScript: así envía al servidor lo que usted escribe. Actívelo y vuelva a cargar la página.',
  'site.loading': 'Cargando…',
  'site.unreachable': 'No se puede acceder al servidor. Vuelva a intentarlo en un momento.',
  'site.failed': 'Algo ha fallado. Vuelva a intentarlo en un momento.',
  'site.notShown': 'No se ha podido mostrar esta página',
  'site.notShownNote': 'Inténtelo de nuevo. Si no funciona, vuelva a cargar la página o regrese más tarde.',
  'site.again': 'Intentarlo de nuevo',
  'site.reload': 'Volver a cargar la página',

  'field.optional': 'opcional',
  'field.reveal': 'Mostrar los caracteres',
  'field.conceal': 'Ocultar los caracteres',

  'dialog.cancel': 'Cancelar',
  'dialog.close': 'Cerrar',

  'toast.messages': 'Avisos',
  'toast.dismiss': 'Cerrar este aviso',
} as const satisfies TextsLike<typeof en>
