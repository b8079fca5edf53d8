import type { TextsLike } from '#web/kit/language/catalogue'
import type { withdraw as en } from './en'

/** The texts of the withdrawal of a consent in French. */
export const withdraw: TextsLike<typeof en> = {
  'withdraw.title': 'Retirer votre consentement',
  'withdraw.lead':
    'Vous pouvez le retirer à tout moment, sans donner de raison et sans aucun désavantage. Merci de ce que vous avez fait pour l’étude.',
  'withdraw.how': 'Saisissez l’adresse que vous avez confirmée en donnant votre consentement. Nous y envoyons un code.',
  'withdraw.help':
    'Si vous n’avez pas confirmé d’adresse, ou ne l’avez plus, veuillez dire à l’équipe de l’étude que vous voulez retirer votre consentement.',
  'withdraw.sent':
    'Si quelqu’un a donné son consentement avec {address}, un code est en route. Il est valable 10 minutes.',
  'withdraw.spokenNote':
    'Si aucun message n’arrive, c’est que l’étude n’en envoie pas elle-même : veuillez demander à l’équipe de l’étude le code de {address}.',
  'withdraw.none': 'Aucun consentement n’a été donné avec cette adresse',
  'withdraw.noneNote': 'Vous en avez peut-être utilisé une autre. L’équipe de l’étude peut vous aider.',
  'withdraw.which': 'Quel consentement voulez-vous retirer ?',
  'withdraw.yours': 'Vos consentements',
  'withdraw.given': '{name}, donné le {day}',
  'withdraw.givenOn': 'Donné le {day}',
  'withdraw.before': 'Retiré le {day}',
  'withdraw.reason': 'Voulez-vous nous dire pourquoi ?',
  'withdraw.reasonNote': 'Ce n’est pas obligatoire. L’équipe de l’étude le lit.',
  'withdraw.data': 'Que doivent devenir vos données ?',
  'withdraw.keep': 'Les garder',
  'withdraw.keepNote': 'L’étude continue d’utiliser ce que vous lui avez fourni jusqu’ici.',
  'withdraw.erase': 'Effacer ce qui permet de savoir qui je suis',
  'withdraw.eraseNote':
    'Votre nom, vos adresses et vos autres données personnelles sont effacés. Vos réponses sont conservées sans ces données.',
  'withdraw.delete': 'Supprimer mes réponses',
  'withdraw.deleteNote': 'Les réponses que vous avez données sont supprimées.',
  'withdraw.still':
    'Vous avez donné un autre consentement à cette étude. Retirez-le aussi pour que vos données puissent être supprimées.',
  'withdraw.send': 'Retirer mon consentement',
  'withdraw.choose': 'Veuillez en choisir au moins un.',
  'withdraw.all': 'Vous avez déjà tout retiré',
  'withdraw.done': 'Votre consentement est retiré',
  'withdraw.doneNote':
    'Merci du temps et de la confiance que vous avez accordés à l’étude. L’équipe de l’étude le sait maintenant, et vous dit ce qui se passe ensuite. Vous pouvez fermer cette page.',
  'withdraw.ended': 'Cela a pris trop de temps',
  'withdraw.endedNote': 'Pour votre sécurité, la page fonctionne une heure. Rien n’a été retiré. Veuillez recommencer.',
}
