import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the pages behind links in French. */
export const fr: TextsLike<typeof en> = {
  'link.ended': 'Ce lien ne fonctionne plus',
  'link.endedNote':
    'Il a expiré, a déjà servi, ou un caractère manque. Demandez-en un nouveau à la personne qui vous l’a envoyé.',
  'link.expired': 'Ce lien n’est plus valable',
  'link.expiredNote': 'Vous n’avez rien fait de mal. Demandez un nouveau lien à l’équipe de l’étude.',
  'link.noConnection': 'Il n’y a pas de connexion',
  'link.noConnectionNote': 'Vérifiez la connexion de cet appareil et réessayez. Le lien reste valable.',
  'link.study': 'Étude : {study}',
  'link.close': 'Vous pouvez maintenant fermer cette page.',

  'review.title': 'Un document à relire',
  'review.lead': '{who} vous demande d’approuver ou de rejeter ce document de l’étude « {study} ».',
  'review.role': 'On vous consulte en tant que : {role}',
  'review.message': 'Message pour vous',
  'review.version': 'Version n° {number}',
  'review.facts': '{name}, {size}, ajouté le {day}',
  'review.download': 'Télécharger',
  'review.open': 'Ouvrir dans un nouvel onglet',
  'review.document': 'Le document',
  'review.noPreview': 'Ce document ne peut pas être affiché ici',
  'review.noPreviewNote': 'Téléchargez-le et lisez-le sur votre appareil.',
  'review.hash': 'Empreinte (SHA-256)',
  'review.earlier': 'Versions précédentes',
  'review.draft': 'Brouillon',
  'review.approved': 'Approuvée',
  'review.rejected': 'Rejetée',
  'review.decide': 'Votre décision',
  'review.once': 'Vous pouvez décider une seule fois. Le lien est valable jusqu’au {day}.',
  'review.approve': 'J’approuve cette version',
  'review.reject': 'Je rejette cette version',
  'review.comment': 'Commentaire',
  'review.commentNote': 'Si vous la rejetez, dites pourquoi.',
  'review.needsComment': 'Dites pourquoi vous la rejetez.',
  'review.choose': 'Choisissez une réponse.',
  'review.send': 'Envoyer ma décision',
  'review.youApproved': 'Vous avez approuvé cette version',
  'review.youRejected': 'Vous avez rejeté cette version',
  'review.recorded': 'Merci. Votre décision est enregistrée. Vous pouvez fermer cette page.',
  'review.decidedBefore': 'Vous avez déjà décidé',
  'review.decidedBeforeNote':
    'On décide une seule fois. Pour changer, demandez une nouvelle demande à la personne qui vous a écrit.',
  'review.withdrawn': 'Cette demande a été retirée',
  'review.withdrawnNote': 'Votre décision n’est plus nécessaire. Vous n’avez rien à faire.',
  'review.stale': 'Il existe une version plus récente de ce document',
  'review.staleNote':
    'Cette version n’est plus à relire. Si votre décision est nécessaire, vous recevrez un nouveau lien.',
  'review.over': 'Cette relecture est terminée',
  'review.overNote': 'D’autres ont décidé. Vous n’avez rien à faire.',

  'stage.again': 'Vous avez déjà envoyé ce formulaire',
  'stage.againNote':
    'Pour vous protéger, vos réponses ne sont pas affichées ici. Vos nouvelles réponses remplacent les anciennes.',
  'stage.notYet': 'Ce formulaire n’est pas encore ouvert',
  'stage.notYetNote': 'Il ouvre le {day}. Revenez à ce moment : ce lien restera le bon.',
  'stage.soonNote': 'Revenez plus tard, ou demandez à votre équipe quand il ouvre.',
  'stage.closed': 'Ce formulaire est fermé',
  'stage.closedNote': 'Le temps prévu est passé. Si vous voulez encore répondre, demandez à votre équipe.',
  'stage.withdrawn': 'Vous ne participez plus à cette étude',
  'stage.waitingNote':
    'Elles partent dès qu’il y a une connexion. Laissez cette page ouverte, ou rouvrez le lien plus tard.',
  'stage.refusedNote': 'Rien n’est perdu : vos réponses sont encore sur cette page.',
  'stage.noFiles': 'Ce formulaire demande un fichier',
  'stage.noFilesNote':
    'Les fichiers s’envoient seulement dans l’application. Connectez-vous-y, ou demandez à votre équipe.',
}
