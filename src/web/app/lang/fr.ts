import { frame } from '#web/app/lang/frame/fr'
import { home } from '#web/app/lang/home/fr'
import { pages } from '#web/app/lang/pages/fr'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in French. */
export const fr = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Cette page n’existe pas',
  'app.toStart': 'Aller au début',

  'form.search': 'Chercher dans les options',
  'form.found.one': '{count} option trouvée',
  'form.found.other': '{count} options trouvées',
  'form.clear': 'Retirer la réponse',
  'form.clearOf': 'Retirer la réponse à « {question} »',
  'form.notAnswered': 'Pas encore de réponse',
  'form.notApplicable': 'Sans objet',
  'form.height': 'Taille',
  'form.weight': 'Poids',
  'form.bmi': 'Indice de masse corporelle : {value}',
  'form.notYet': 'Découle de vos réponses',
  'form.row': 'Ligne {number}',
  'form.addRow': 'Ajouter une ligne',
  'form.removeRow': 'Retirer cette ligne',
  'form.removeRowOf': 'Retirer cette ligne : {number} de « {question} »',
  'form.choose.file': 'Choisir un fichier',
  'form.choose.image': 'Prendre ou choisir une photo',
  'form.choose.video': 'Filmer ou choisir une vidéo',
  'form.replace': 'Remplacer',
  'form.remove': 'Retirer',
  'form.removeFile': 'Retirer {name}',
  'form.tooLarge': 'Ce fichier fait {size}. Le maximum est de {most}.',
  'form.wrongType': 'Ce type de fichier ne convient pas ici. Sont acceptés : {types}.',
  'form.required': 'Réponse nécessaire',
  'form.known': 'Vous y avez déjà répondu. Répondez de nouveau seulement pour modifier.',
  'form.earlier': 'Vos réponses précédentes',
  'form.elsewhere': 'Ce formulaire est ouvert dans une autre fenêtre. Remplissez-le là-bas, ou fermez-la d’abord.',
  'form.progress': 'Votre avancement',
  'form.faults': 'Merci de revoir ces réponses',
  'form.back': 'Retour',
  'form.next': 'Suivant',
  'form.send': 'Envoyer',
  'form.gone': 'Ce formulaire ne peut pas être rempli maintenant',
  'form.notHere': 'Ce formulaire n’est pas encore sur votre appareil',
  'form.notHereNote': 'Ouvrez-le une fois avec une connexion. Ensuite, il fonctionne sans.',
  'form.tryAgain': 'Réessayer',
  'form.noRoom':
    'Cet appareil n’a pas gardé vos réponses. Laissez cette page ouverte, libérez de la place et réessayez.',
  'form.afreshTitle': 'Recommencer ce formulaire ?',
  'form.afreshNote': 'Les réponses que vous n’avez pas encore envoyées seront retirées de cet appareil.',
  'form.kept': 'Vos réponses précédentes sont toujours là',
  'form.changed':
    'L’équipe de l’étude a modifié ce formulaire entre-temps. Vos réponses qui conviennent encore sont là.',
  'form.afresh': 'Recommencer',
  'form.toStart': 'À la page d’accueil',
  'form.stored': 'Merci. Vos réponses sont bien arrivées.',
  'form.waiting': 'Vos réponses sont gardées sur cet appareil',
  'form.waitingNote': 'Elles seront envoyées dès qu’il y aura une connexion. Vous n’avez rien à faire.',
  'form.refused': 'Vos réponses n’ont pas pu être acceptées telles quelles',
  'form.refusedNote':
    'Rien n’est perdu : elles sont sur cet appareil. Vous pouvez les corriger et les renvoyer, ou demander à l’équipe de l’étude.',
  'form.mend': 'Corriger les réponses',

  'queue.fileGone': 'Un fichier de ces réponses n’est plus sur cet appareil. Veuillez le choisir à nouveau.',
  'queue.newVersion': 'Une nouvelle version de cette application est prête.',
  'queue.takeOver': 'L’utiliser maintenant',
} as const satisfies TextsLike<typeof en>
