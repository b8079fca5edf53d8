import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in French. */
export const fr = {
  'landing.title': 'Toute une étude clinique, en un seul endroit',
  'landing.lead':
    'Ceci est un serveur Trialbox. Les formulaires, les participants, les calendriers, les fichiers, les consentements et la piste d’audit d’une étude sont conservés ici, sur cette machine.',
  'landing.takePart': 'Je participe à une étude',
  'landing.takePartNote': 'Questionnaires, messages, rendez-vous',
  'landing.console': 'Console de l’équipe',
  'landing.consoleNote':
    'Les études, les participants, leurs réponses et les demandes de clarification, en anglais ou en allemand.',
  'landing.account':
    'Votre mot de passe, la connexion en deux étapes, vos sessions et les clés d’API de vos programmes.',
  'landing.api':
    'Chaque opération, ce qu’elle demande et ce qu’elle renvoie. À essayer dans le navigateur, en anglais.',
  'landing.manual': 'Comment mener une étude et gérer ce serveur, avec une recherche, en anglais. Sans internet.',
  'landing.document': 'Document OpenAPI',
  'landing.documentNote': 'La même chose pour les programmes qui écrivent des clients.',
  'landing.checking': 'Vérification de l’état du service…',
  'landing.runs': 'Le service fonctionne.',
  'landing.runsVersion': 'Le service fonctionne. Version {version}',

  'missing.note': 'L’adresse est peut-être mal écrite.',

  'setup.page': 'Configurer',
  'setup.title': 'Configurez votre compte',

  'account.title': 'Compte',

  'health.title': 'État du serveur',
  'health.ok': 'Le service fonctionne, et tout va bien.',
  'health.warning': 'Le service fonctionne. Quelqu’un devrait y jeter un œil.',
  'health.failing': 'Le service est en panne\u00a0: quelque chose ne se fait plus.',
  'health.rest':
    'Ce qui ne va pas est montré aux personnes qui gèrent le serveur\u00a0: sur sa propre machine, et aux administrateurs d’une équipe.',
  'health.signIn': 'Se connecter',
  'health.version': 'Version {version} du programme',
  'health.diskFull': 'Le disque est plein\u00a0: rien ne peut être écrit.',
  'health.diskSpace': 'Il reste moins de 1\u00a0Go sur le disque.',
  'health.folder': 'Impossible d’écrire dans le dossier de données ou dans l’un de ses dossiers.',
  'health.disk': 'Le dossier de données ne peut pas être utilisé\u00a0; le journal dit pourquoi.',
  'health.clock':
    'L’horloge est en retard sur la dernière écriture\u00a0: rien n’est écrit tant qu’elle n’est pas juste.',
  'health.clockStep': 'L’horloge de la machine a fait un saut. Le serveur continue avec sa propre heure.',
  'health.clockNew': 'On ne sait encore rien de l’horloge de la machine.',
  'health.database': 'Le fichier de la base de données est endommagé\u00a0: restaurez une sauvegarde.',
  'health.verify': 'Un contrôle des données a trouvé une erreur\u00a0: «\u00a0trialbox verify\u00a0» en dit plus.',
  'health.certificate': 'Le certificat a expiré ou expire dans les 14 jours.',
  'health.backup': 'Aucune sauvegarde n’a été faite depuis 7 jours.',
  'health.clockTitle': 'L’horloge',
  'health.shown': 'La machine affiche',
  'health.expected': 'Le serveur attendait',
  'health.newest': 'Dernière écriture',
  'health.until': 'Sans décision, le serveur la suit à partir du',
  'health.heldMeans':
    'On peut travailler. Mais d’ici là, le serveur n’envoie aucun rappel, ne laisse rien expirer et ne supprime rien à cause de l’heure. Si l’horloge de la machine est fausse, mettez-la à l’heure.',
  'health.behindMeans':
    'Si l’horloge est fausse, mettez-la à l’heure\u00a0: le serveur reprend alors de lui-même. Si elle est juste et qu’elle avançait auparavant, confirmez-la.',
  'health.needsAdmin': 'Un administrateur d’une équipe peut confirmer l’horloge ici.',
  'health.right': 'L’horloge est juste',
  'health.acceptTitle': 'L’heure affichée par la machine est-elle juste\u00a0?',
  'health.acceptNote':
    'Comparez-la avec une autre horloge. Le serveur la suit alors aussitôt\u00a0: ce qui est dû est envoyé, et ce qui a expiré est supprimé. Le journal garde qui l’a confirmée.',
  'health.accepted': 'L’horloge est confirmée. Le serveur la suit.',

  'manual.suffix': 'Manuel de Trialbox',
  'manual.search': 'Chercher dans le manuel',
  'manual.submit': 'Chercher',
  'manual.contents': 'Sommaire',
  'manual.results': 'Recherche',
  'manual.hits.one': '{count} section avec «\u00a0{query}\u00a0»',
  'manual.hits.other': '{count} sections avec «\u00a0{query}\u00a0»',
  'manual.noHits': 'Aucune section ne contient tous ces mots. Essayez-en moins, ou de plus courts, en anglais.',
  'manual.missing': 'Cette page n’existe pas',
  'manual.missingNote': 'Choisissez-en une dans le sommaire, ou cherchez un mot.',
  'manual.around': 'Avant et après',
  'manual.previous': 'Précédent',
  'manual.next': 'Suivant',
} as const satisfies TextsLike<typeof en>
