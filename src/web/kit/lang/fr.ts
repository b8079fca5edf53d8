import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the components and the frame of pages in French. */
export const fr = {
  'site.skip': 'Aller au contenu',
  'site.pages': 'Pages',
  'site.manual': 'Manuel',
  'site.api': 'API',
  'site.account': 'Compte',
  'site.language': 'Langue',
  'site.needsScript':
    'Cette page a besoin de JavaScript\u00a0: elle envoie ainsi vos saisies au serveur. Activez-le, puis rechargez la page.',
  'site.loading': 'Chargement…',
  'site.unreachable': 'Le serveur est injoignable. Réessayez dans un instant.',
  'site.failed': 'Un problème est survenu. Réessayez dans un instant.',
  'site.notShown': 'Cette page n’a pas pu être affichée',
  'site.notShownNote': 'Réessayez. Si cela ne suffit pas, rechargez la page ou revenez plus tard.',
  'site.again': 'Réessayer',
  'site.reload': 'Recharger la page',

  'field.optional': 'facultatif',
  'field.reveal': 'Afficher les caractères',
  'field.conceal': 'Masquer les caractères',

  'dialog.cancel': 'Annuler',
  'dialog.close': 'Fermer',

  'toast.messages': 'Notifications',
  'toast.dismiss': 'Fermer cette notification',
} as const satisfies TextsLike<typeof en>
