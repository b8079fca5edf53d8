import type { accounts as en } from '#kernel/refusals/accounts'
import type { TranslationOf } from '../translated'

/** Refusals about accounts of staff, sign-ins and keys, in German. */
export const accounts = {
  signInFailed: 'E-Mail-Adresse, Passwort oder Code stimmt nicht, oder das Konto ist gesperrt.',
  signInElsewhere: 'Melden Sie sich direkt auf der Seite dieses Servers an.',
  wrongProof: 'Passwort oder Code stimmt nicht.',
  wrongCurrentProof: 'Das jetzige Passwort oder der Code stimmt nicht.',
  commonPassword: 'Gehört zu den häufigsten Passwörtern oder ist zu leicht zu erraten. Wählen Sie ein anderes.',
  shortPassword: 'Muss in dieser Studie mindestens {least} Zeichen haben.',
  notInFuture: 'Muss in der Zukunft liegen.',
  twoStepOnAlready: 'Die Anmeldung in zwei Schritten ist schon eingeschaltet. Schalten Sie sie zuerst aus.',
  twoStepNotSetUp: 'Die Anmeldung in zwei Schritten wurde noch nicht eingerichtet.',
  twoStepOff: 'Die Anmeldung in zwei Schritten ist nicht eingeschaltet.',
  ownAddress: 'Ist schon die Adresse Ihres Kontos.',
  tooSoon:
    'Vor weniger als einer Minute wurde schon ein Code geschickt. Bitte warten Sie darauf, und fordern Sie erst dann einen neuen an.',
  noMoreCodesToday: 'Heute werden keine weiteren Codes verschickt. Versuchen Sie es morgen noch einmal.',
  codeEnded: 'Dieser Code gilt nicht mehr. Bitte fordern Sie einen neuen an.',
  firstAccountOnly: 'Gilt nur für das erste Konto.',
  trialUnknown: 'Die Studie {trial} gibt es nicht, oder Sie können sie nicht sehen.',
  keyWorksAlready: 'Dieser Schlüssel ist schon gültig.',
  keyExpired: 'Der Schlüssel wäre schon abgelaufen. Wählen Sie einen späteren Zeitpunkt.',
  severalKeysMatch: 'Zu {key} passen mehrere Schlüssel. Geben Sie die _id von einem an.',
  trialNotReached: 'Das Konto hat keinen Zugang zu einer Studie mit dem Code oder der _id {trial}.',
  teamWithoutAdmin: 'Das Team hätte dann keinen Admin mehr. Machen Sie zuerst jemand anderen zum Admin.',
  trialWithoutAdmin: 'Die Studie hätte dann keinen Admin mehr. Machen Sie zuerst jemand anderen zum Admin.',
  accountUnknown: 'Das Konto „{email}“ gibt es nicht, oder Sie können es nicht sehen.',
  accountDisabled: 'Dieses Konto ist gesperrt. Die Verwaltung des Servers kann es entsperren.',
  accountOrMembershipDisabled:
    'Das Konto ist gesperrt. Entsperren Sie zuerst das Konto oder seine Mitgliedschaft in einem Team.',
  disabledByTeams:
    'Dieses Konto wurde von seinen Teams gesperrt: Ein Admin eines dieser Teams kann die Mitgliedschaft entsperren.',
  memberAlready: '{email} ist schon Mitglied des Teams.',
  invitedElsewhere: '{email} wurde von einem anderen Team eingeladen und muss zuerst ein Passwort festlegen.',
} as const satisfies TranslationOf<typeof en>
