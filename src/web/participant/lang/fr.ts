import type { TextsLike } from '#web/kit/language/catalogue'
import { frame } from '#web/participant/lang/frame/fr'
import { home } from '#web/participant/lang/home/fr'
import { pages } from '#web/participant/lang/pages/fr'
import type { en } from './en'

/** The texts of the app of participants in French. */
export const fr = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'Cette page n’existe pas',
  'app.toStart': 'Aller au début',

  'form.gone': 'Ce formulaire ne peut pas être rempli maintenant',
  'form.notHere': 'Ce formulaire n’est pas encore sur votre appareil',
  'form.notHereNote': 'Ouvrez-le une fois avec une connexion. Ensuite, il fonctionne sans.',
  'form.tryAgain': 'Réessayer',
  'form.afreshTitle': 'Recommencer ce formulaire ?',
  'form.afreshNote': 'Les réponses que vous n’avez pas encore envoyées seront retirées de cet appareil.',
  'form.kept': 'Vos réponses précédentes sont toujours là',
  'form.changed':
    'L’équipe de l’étude a modifié ce formulaire entre-temps. Vos réponses qui conviennent encore sont là.',
  'form.afresh': 'Recommencer',
  'form.toStart': 'À la page d’accueil',
  'form.waitingNote': 'Elles seront envoyées dès qu’il y aura une connexion. Vous n’avez rien à faire.',
  'form.refusedNote':
    'Rien n’est perdu : elles sont sur cet appareil. Vous pouvez les corriger et les renvoyer, ou demander à l’équipe de l’étude.',
  'form.endsSoon': 'Vous pouvez remplir ce formulaire jusqu’à cette heure : {time}.',
  'form.ended': 'Le délai pour ce formulaire est passé',
  'form.endedDone': 'Vous avez rempli ce formulaire',
  'form.endedAsk':
    'Il ne peut plus être rempli ni modifié. Si vous le souhaitez encore, écrivez à l’équipe de l’étude.',
  'form.endedNote':
    'Ce que vous avez répondu avant compte : veuillez l’envoyer. Si une partie a été répondue plus tard, l’équipe de l’étude décide de la suite.',
  'form.goneSend': 'Si vous l’envoyez quand même, l’équipe de l’étude décide de ce que deviennent vos réponses.',
  'form.refusedHeld': 'Rien n’est perdu : l’équipe de l’étude reçoit vos réponses et décide de la suite.',
  'form.refusedKept':
    'Vos réponses n’ont pas été envoyées. Elles restent sur cet appareil jusqu’à ce que vous les supprimiez.',
  'form.mend': 'Corriger les réponses',

  'queue.newVersion': 'Une nouvelle version de cette application est prête.',
  'queue.takeOver': 'L’utiliser maintenant',
} as const satisfies TextsLike<typeof en>
