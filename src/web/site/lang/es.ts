import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in Spanish. */
export const es = {
  'landing.title': 'Todo un estudio clínico, en un solo lugar',
  'landing.lead':
    'Este es un servidor de Trialbox. Los formularios, participantes, calendarios, archivos, consentimientos y el registro de auditoría de un estudio se guardan aquí, en esta máquina.',
  'landing.takePart': 'Participo en un estudio',
  'landing.takePartNote': 'Formularios, mensajes, citas',
  'landing.account':
    'Su contraseña, el inicio de sesión en dos pasos, las sesiones y las claves de API que usan sus programas.',
  'landing.api': 'Cada operación, lo que necesita y lo que devuelve. Se prueba en el navegador, en inglés.',
  'landing.manual': 'Cómo llevar un estudio y este servidor, con buscador, en inglés. Sin internet.',
  'landing.document': 'Documento OpenAPI',
  'landing.documentNote': 'Lo mismo para programas que escriben clientes.',
  'landing.checking': 'Comprobando si el servicio funciona…',
  'landing.runs': 'El servicio funciona.',
  'landing.runsVersion': 'El servicio funciona. Versión {version}',

  'missing.note': 'Puede que la dirección esté mal escrita.',

  'setup.page': 'Configurar',
  'setup.title': 'Configure su cuenta',

  'account.title': 'Cuenta',

  'manual.suffix': 'Manual de Trialbox',
  'manual.search': 'Buscar en el manual',
  'manual.submit': 'Buscar',
  'manual.contents': 'Contenido',
  'manual.results': 'Búsqueda',
  'manual.hits.one': '{count} sección con «{query}»',
  'manual.hits.other': '{count} secciones con «{query}»',
  'manual.noHits': 'Ninguna sección contiene todas estas palabras. Pruebe con menos o más cortas, en inglés.',
  'manual.missing': 'Esa página no existe',
  'manual.missingNote': 'Elija una del contenido o busque una palabra.',
  'manual.around': 'Antes y después',
  'manual.previous': 'Anterior',
  'manual.next': 'Siguiente',
} as const satisfies TextsLike<typeof en>
