import { featuresOf } from '#access/features'
import { changedFields } from '#audit/changedFields'
import { ownConsents, withSigningLink } from '#conduct/consents/ownConsents'
import { neededConsent } from '#conduct/consents/required'
import { answerLanguage, withLanguages } from '#conduct/participants/language'
import { placesOf } from '#conduct/participants/memberships'
import { type ParticipantRow, staffView } from '#conduct/participants/store'
import { changeParticipant } from '#conduct/participants/updateStore'
import { zoneOf } from '#conduct/timeline/progress'
import { connectionsOf } from '#conduct/wearables/store'
import { connectionView } from '#conduct/wearables/views'
import { sitesById } from '#design/sites/store'
import { languageForReader } from '#design/translations/languageChoice'
import { settingsOf, trialTextsIn } from '#design/trials/rules'
import type { SharedTrial } from '#design/trials/store'
import { operation } from '#http/operation'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { shape } from '#wire/schema'
import { OwnAccount, OwnChange, OwnTrial } from './model'
import { self } from './scope'
import { endToken, teamOf } from './store'

/** A trial as its participants see it. A feature is on if the team has it and the trial uses it. */
function ownTrialView({ db, push }: Services, trial: SharedTrial, language: string | null) {
  const { settings } = trial
  const team = featuresOf(db, trial.team)
  const features = {
    ...team,
    eConsent: team.eConsent && settings.eConsentEnabled === true,
    foodDiaries: team.foodDiaries && settings.foodDiariesEnabled === true,
  }
  const { name, description } = trialTextsIn(trial, language)
  return {
    ...trial,
    name,
    description,
    languages: settingsOf(trial).languages,
    sponsor: settingsOf(trial).sponsor,
    team: teamOf(db, trial.team),
    features,
    pushPublicKey: push?.publicKey ?? null,
  }
}

/** The participant who asks, and the session. */
type OwnContext = { services: Services; trial: SharedTrial; participant: ParticipantRow; caller: { token: string } }

function ownAccountView({ services, trial, participant, caller }: OwnContext, language: string | null) {
  const { db } = services
  const places = placesOf(db, participant._id)
  const answer = {
    participant: staffView(participant, places),
    zone: zoneOf(participant, trial),
    pushHere: participant.pushSession === caller.token,
    trial: ownTrialView(services, trial, language),
    sites: sitesById(db, places.sites),
    consents: ownConsents(db, services.publicUrl, trial, participant._id),
    consentNeeded: withSigningLink(services, trial, neededConsent(db, { trial, participant })),
    connectedServices: connectionsOf(db, participant._id)
      .filter(({ status }) => status !== 'disconnected')
      .map(connectionView),
  }
  const { texts, ...rest } = withLanguages(trial, language, answer)
  return {
    ...rest,
    texts: { ...texts, messages: languageForReader(settingsOf(trial).languages, participant.language) },
  }
}

const signOut = operation({
  id: 'signOutParticipant',
  method: 'DELETE',
  path: '/participants/sessions',
  summary: 'Sign out: end the session of this token',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  logs: 'signOutParticipant',
  returns: shape({}),
  run: ({ db, caller }) => {
    endToken(db, caller.token)
    return {}
  },
})

const showMe = operation({
  id: 'readOwnParticipant',
  method: 'GET',
  path: '/participants/me',
  summary: 'Read one’s own account, with trial, sites, consents and connected services',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: OwnAccount,
  run: (context) => ownAccountView(context, answerLanguage(context)),
})

const editMe = operation({
  id: 'updateOwnParticipant',
  method: 'PUT',
  path: '/participants/me',
  summary: 'Set one’s own time zone and language',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  changes: 'data',
  logs: 'updateParticipant',
  body: OwnChange,
  sets: ['participant'],
  returns: OwnAccount,
  run: (context) => {
    const { db, participant, body, record } = context
    const { timezone, language } = body
    if (timezone === undefined && language === undefined) throw refuse.invalid({ timezone: [reason('nothingChanged')] })
    const after = changeParticipant(db, participant._id, body)
    const auditedFields = ({ timezone, language }: ParticipantRow) => ({ timezone, language })
    record({ event: changedFields(auditedFields(participant), auditedFields(after)) })
    const changed = { ...context, participant: after }
    return ownAccountView(changed, answerLanguage(changed))
  },
})

const showOwnTrial = operation({
  id: 'readOwnTrial',
  method: 'GET',
  path: '/participants/trial',
  summary: 'Read one’s own trial',
  who: 'participant',
  scope: self,
  needs: 'nothing',
  returns: OwnTrial,
  run: (context) => ownTrialView(context.services, context.trial, answerLanguage(context)),
})

export const participantSessionOperations = [signOut, showMe, editMe, showOwnTrial] as const
