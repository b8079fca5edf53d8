import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of signing in, in French. */
export const fr = {
  'signIn.submit': 'Se connecter',
  'signIn.signOut': 'Se déconnecter',
  'signIn.email': 'Adresse e-mail',
  'signIn.password': 'Mot de passe',
  'signIn.code': 'Code',
  'signIn.codeNote':
    'Seulement si vous avez activé la connexion en deux étapes\u00a0: les six chiffres de votre application d’authentification, ou un code de secours.',
  'signIn.refused': 'L’adresse e-mail, le mot de passe ou le code n’est pas correct, ou le compte est désactivé.',
  'signIn.forgot': 'Mot de passe oublié\u00a0?',
  'signIn.ended': 'Votre session a pris fin. Veuillez vous reconnecter.',
  'signIn.other':
    'Vous vous êtes connecté de nouveau dans une autre fenêtre. Vérifiez qui est connecté ici, puis réessayez.',
  'signIn.tooMany':
    'Trop de tentatives échouées. Attendez une minute, puis réessayez. L’attente s’allonge à chaque nouvelle tentative.',
} as const satisfies TextsLike<typeof en>
