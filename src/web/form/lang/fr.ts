import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** What is said around forms, in French. */
export const fr = {
  'form.goneNote':
    'Il est peut-être terminé, ou pas encore ouvert. Si vous l’attendiez, adressez-vous à l’équipe de l’étude.',
  'form.noRoom':
    'Cet appareil n’a pas gardé vos réponses. Laissez cette page ouverte, libérez de la place et réessayez.',
  'form.stored': 'Merci. Vos réponses sont bien arrivées.',
  'form.waiting': 'Vos réponses sont gardées sur cet appareil',
  'form.refused': 'Vos réponses n’ont pas pu être acceptées telles quelles',
  'form.fileGone': 'Un fichier de ces réponses n’est plus sur cet appareil. Veuillez le choisir à nouveau.',
  'form.notLoaded': 'Cette page n’est pas encore sur votre appareil',
  'form.notLoadedNote': 'La première fois, il faut une connexion.',

  'refusal.closed': 'Le formulaire était déjà fermé quand vos réponses sont arrivées.',
  'refusal.notOpenYet': 'Ce formulaire n’est pas encore ouvert.',
  'refusal.withdrawn': 'Vous avez mis fin à votre participation : plus rien n’est recueilli.',
  'refusal.archived': 'Vous ne participez plus à cette étude.',
  'refusal.locked': 'L’étude n’accepte pas de réponses en ce moment.',
  'refusal.tooMany': 'Trop de tentatives. Attendez une minute, puis réessayez.',
  'refusal.consentWithdrawn': 'Vous avez retiré votre consentement',
  'refusal.consentMissing': 'Veuillez d’abord signer le consentement',
  'refusal.consentOutdated': 'Veuillez signer le nouveau consentement',

  'said.urgent': 'Message important',
  'said.read': 'J’ai lu ce message',
} as const satisfies TextsLike<typeof en>
