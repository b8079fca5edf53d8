import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of shared tablets in French. */
export const fr = {
  'tablet.setUp': 'Utiliser cet appareil comme tablette partagée ?',
  'tablet.setUpNote':
    'Les participants l’utilisent alors l’un après l’autre. Rien les concernant ne reste ici. Le lien fonctionne une fois, sur un appareil.',
  'tablet.setUpStart': 'Configurer cette tablette',
  'tablet.setUpFailed': 'Ce lien ne fonctionne pas',
  'tablet.setUpFailedNote': 'Il a déjà servi ou a expiré. Créez un nouveau lien pour la tablette.',
  'tablet.setUpWaiting':
    'Des réponses d’une personne attendent sur cet appareil. Laissez-la d’abord se connecter ici ou ouvrir son lien, et les envoyer, ou utilisez un autre navigateur.',
  'tablet.setUpSignedIn':
    '«\u00a0{id}\u00a0» est connecté sur cet appareil. Déconnectez d’abord cette personne, puis ouvrez de nouveau le lien.',
  'tablet.setUpToSignOut': 'Vers la déconnexion',
  'tablet.insecure':
    'La connexion à ce serveur n’est pas assez sûre pour une tablette partagée : les réponses ne pourraient pas être scellées. Ouvrez le lien par son adresse https.',
  'tablet.welcome': 'Bienvenue',
  'tablet.lead': 'Saisissez votre identifiant de participant et votre code PIN, ou scannez le code que vous avez reçu.',
  'tablet.id': 'Identifiant de participant',
  'tablet.pin': 'Code PIN',
  'tablet.keys': 'Touches numériques pour le code PIN',
  'tablet.delete': 'Effacer le dernier chiffre',
  'tablet.signIn': 'Se connecter',
  'tablet.signingIn': 'Connexion en cours',
  'tablet.needsPin': 'Saisissez votre code PIN : 4 à 8 chiffres.',
  'tablet.needsId': 'Saisissez votre identifiant de participant.',
  'tablet.wrong':
    'Cela n’a pas fonctionné. Vérifiez votre identifiant et votre code PIN, ou demandez à l’équipe de l’étude.',
  'tablet.wait': 'Trop d’essais. Attendez quelques minutes, ou demandez un nouveau code PIN à l’équipe de l’étude.',
  'tablet.offline':
    'Il n’y a pas de connexion, et il en faut une pour se connecter : aucun code PIN n’est gardé sur cette tablette. Demandez à l’équipe de l’étude.',
  'tablet.linkFailed': 'Ce code ne fonctionne pas ici. Demandez-en un nouveau à l’équipe de l’étude.',
  'tablet.waiting.one': '{count} formulaire attend d’être envoyé. Il est scellé et en sécurité.',
  'tablet.waiting.other': '{count} formulaires attendent d’être envoyés. Ils sont scellés et en sécurité.',
  'tablet.staff': 'Pour le personnel',
  'tablet.ended': 'L’utilisation de cette tablette a été arrêtée',
  'tablet.expired': 'La période d’utilisation de cette tablette est terminée',
  'tablet.endedNote': 'Personne ne peut se connecter ici. L’équipe de l’étude peut créer un nouveau lien.',
  'tablet.other': 'L’application est ouverte dans une autre fenêtre. Continuez là-bas, ou fermez-la.',
  'tablet.signedInAs': 'Session de',
  'tablet.signOut': 'J’ai terminé',
  'tablet.signOutTitle': 'Se déconnecter de cette tablette ?',
  'tablet.signOutNote':
    'Rien vous concernant ne reste sur cette tablette. Ce qui attend d’être envoyé est scellé, et sera envoyé plus tard.',
  'tablet.begun.one': 'Vous avez commencé {count} formulaire sans l’envoyer.',
  'tablet.begun.other': 'Vous avez commencé {count} formulaires sans les envoyer.',
  'tablet.begunNote':
    'L’équipe de l’étude peut recevoir ce que vous avez répondu, marqué comme non terminé. Sinon, c’est supprimé.',
  'tablet.messages': 'Un message qui n’est pas encore envoyé sera supprimé.',
  'tablet.handOver': 'Le remettre à l’équipe, et se déconnecter',
  'tablet.drop': 'Le supprimer, et se déconnecter',
  'tablet.leaving': 'Déconnexion en cours',
  'tablet.idle': 'Êtes-vous toujours là ?',
  'tablet.idleNote.one': 'Votre session se fermera dans {count} seconde.',
  'tablet.idleNote.other': 'Votre session se fermera dans {count} secondes.',
  'tablet.idleDrafts': 'Ce que vous avez commencé est remis à l’équipe de l’étude, marqué comme non terminé.',
  'tablet.stay': 'Je suis toujours là',
  'tablet.staffTitle': 'Cette tablette',
  'tablet.name': 'Nom',
  'tablet.study': 'Étude',
  'tablet.site': 'Centre',
  'tablet.unsent': 'En attente d’envoi',
  'tablet.sendNow': 'Essayer d’envoyer maintenant',
  'tablet.notTaken.one': '{count} formulaire ne peut pas être accepté par l’étude',
  'tablet.notTaken.other': '{count} formulaires ne peuvent pas être acceptés par l’étude',
  'tablet.remove': 'Supprimer ce qui ne peut pas être accepté',
  'tablet.removeTitle': 'Supprimer définitivement ces réponses ?',
  'tablet.removeNote': 'Personne ne peut les lire, et elles ne sont nulle part ailleurs.',
  'tablet.leave': 'Ne plus être une tablette partagée',
  'tablet.leaveNote':
    'Arrêtez d’abord cette tablette dans l’étude, et laissez tout s’envoyer. Ensuite, une seule personne peut de nouveau utiliser cet appareil.',
  'tablet.noWindows':
    'Cela ne s’ouvre que sur un appareil à vous, pour que rien vous concernant ne reste sur cette tablette.',
  'tablet.back': 'Retour',
} satisfies TextsLike<typeof en>
