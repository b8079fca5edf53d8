import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in Spanish. */
export const es = {
  'landing.title': 'Todo un estudio clínico, en un solo lugar',
  'landing.lead':
    'Este es un servidor de Trialbox. Los formularios, participantes, calendarios, archivos, consentimientos y el registro de auditoría de un estudio se guardan aquí, en esta máquina.',
  'landing.takePart': 'Participo en un estudio',
  'landing.takePartNote': 'Formularios, mensajes, citas',
  'landing.console': 'Consola del equipo',
  'landing.consoleNote':
    'Los estudios, los participantes, sus respuestas y las consultas de datos, en inglés o alemán.',
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

  'health.title': 'Estado del servidor',
  'health.ok': 'El servicio funciona y todo está bien.',
  'health.warning': 'El servicio funciona. Alguien debería revisarlo.',
  'health.failing': 'El servicio falla: algo ya no se hace.',
  'health.rest':
    'Lo que va mal se muestra a quienes llevan el servidor: en su propia máquina y a quienes administran un equipo.',
  'health.signIn': 'Iniciar sesión',
  'health.version': 'Versión {version}',
  'health.diskFull': 'El disco está lleno: no se puede escribir nada.',
  'health.diskSpace': 'Queda menos de 1 GB libre en el disco.',
  'health.folder': 'No se puede escribir en el directorio de datos o en una carpeta suya.',
  'health.disk': 'El directorio de datos no se puede usar; el registro dice por qué.',
  'health.clock': 'El reloj va por detrás de lo último que se escribió: no se escribe nada hasta que sea correcto.',
  'health.clockStep': 'El reloj de la máquina ha dado un salto. El servidor sigue con su propia hora.',
  'health.clockNew': 'Todavía no se sabe nada del reloj de la máquina.',
  'health.database': 'El archivo de la base de datos está dañado: restaure una copia de seguridad.',
  'health.verify': 'Una comprobación de los datos encontró un error: «trialbox verify» dice más.',
  'health.certificate': 'El certificado ha caducado o caduca en 14 días.',
  'health.backup': 'No se ha hecho ninguna copia de seguridad en 7 días.',
  'health.clockTitle': 'El reloj',
  'health.shown': 'La máquina muestra',
  'health.expected': 'El servidor esperaba',
  'health.newest': 'Última escritura',
  'health.until': 'Sin una decisión, el servidor lo sigue desde',
  'health.heldMeans':
    'Se puede trabajar. Pero hasta entonces el servidor no envía recordatorios, no deja caducar nada ni elimina nada por la hora. Si el reloj de la máquina es incorrecto, póngalo en hora.',
  'health.behindMeans':
    'Si el reloj es incorrecto, póngalo en hora: el servidor sigue entonces por sí mismo. Si es correcto y antes iba adelantado, confírmelo.',
  'health.needsAdmin': 'Quien administra un equipo puede confirmar el reloj aquí.',
  'health.right': 'El reloj es correcto',
  'health.acceptTitle': '¿Es correcta la hora que muestra la máquina?',
  'health.acceptNote':
    'Compárela con otro reloj. El servidor lo sigue entonces enseguida: se envía lo que toca y se elimina lo que ha caducado. El registro guarda quién lo confirmó.',
  'health.accepted': 'El reloj está confirmado. El servidor lo sigue.',

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
