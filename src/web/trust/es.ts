import type { TrustTexts } from './en'

export const es: TrustTexts = {
  title: 'Confiar en este servidor',
  lead: 'Su teléfono o tableta todavía no conoce este servidor del estudio. Indíquele una vez que confía en él: la página se abrirá sin advertencia y funcionará también sin conexión.',
  check: 'Compare primero estos números',
  checkWhy:
    'Pida al equipo del estudio la huella del servidor, o mire la nota que le dieron. Continúe solo si todos los números son iguales.',
  fingerprint: 'Huella (SHA-256)',
  until: 'Válido hasta el {date}',
  limits: 'Solo vale para estos nombres y redes, y para ningún otro sitio de internet:',
  steps: 'Siga después los pasos para su dispositivo',
  get: 'Descargar el certificado',
  ios: 'iPhone y iPad',
  iosSteps: [
    'Abra esta página en Safari, toque el botón de arriba y permita la descarga.',
    'Abra *Ajustes*, toque *Perfil descargado* y después *Instalar*.',
    'Abra *Ajustes › General › Información › Ajustes de confianza de los certificados* y active el certificado de este servidor.',
  ],
  android: 'Android',
  androidSteps: [
    'Toque el botón de arriba para descargar el certificado.',
    'Abra los *Ajustes*, busque *Certificado CA* y elija *Instalar de todos modos*.',
    'Elija el archivo descargado.',
  ],
  windows: 'Windows',
  windowsSteps: [
    'Descargue el certificado y ábralo.',
    'Elija *Instalar certificado* y después *Usuario actual*.',
    'Elija *Colocar todos los certificados en el siguiente almacén* y después *Entidades de certificación raíz de confianza*.',
  ],
  mac: 'Mac',
  macSteps: [
    'Descargue el certificado y ábralo: se añade a *Acceso a Llaveros*.',
    'Ábralo allí y, en *Confiar*, elija *Confiar siempre*.',
  ],
  firefox: 'Firefox y Linux',
  firefoxSteps: [
    'Descargue el certificado.',
    'En Firefox abra *Ajustes › Privacidad y seguridad › Certificados › Ver certificados › Autoridades* y elija *Importar*.',
    'Marque *Confiar en esta CA para identificar sitios web*.',
  ],
  managed:
    'Los dispositivos que administra una organización reciben el certificado de sus administradores: deles el archivo {file}.',
  afterwards: 'Cierre después el navegador y abra el estudio de nuevo. Ya no aparece ninguna advertencia.',
  phone: 'Otro dispositivo',
  phoneWhy: 'Apunte su cámara a este código para abrir allí esta página.',
  notNeeded: 'No hay nada que hacer aquí',
  notNeededWhy:
    'El certificado de este servidor procede de otra autoridad. Si su dispositivo aún muestra una advertencia, pregunte al equipo del estudio.',
}
