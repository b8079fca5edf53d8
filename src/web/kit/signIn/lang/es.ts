import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of signing in, in Spanish. */
export const es = {
  'signIn.submit': 'Iniciar sesión',
  'signIn.signOut': 'Cerrar sesión',
  'signIn.email': 'Correo electrónico',
  'signIn.password': 'Contraseña',
  'signIn.code': 'Código',
  'signIn.codeNote':
    'Solo si activó el inicio de sesión en dos pasos: los seis dígitos de su aplicación de autenticación o un código de recuperación.',
  'signIn.refused': 'El correo, la contraseña o el código no es correcto, o la cuenta está desactivada.',
  'signIn.forgot': '¿Ha olvidado la contraseña?',
  'signIn.ended': 'Su sesión ha terminado. Inicie sesión de nuevo.',
  'signIn.other':
    'Ha iniciado sesión de nuevo en otra ventana. Compruebe quién está conectado aquí y vuelva a intentarlo.',
  'signIn.tooMany':
    'Demasiados intentos fallidos. Espere un minuto e inténtelo de nuevo. La espera crece con cada intento más.',
} as const satisfies TextsLike<typeof en>
