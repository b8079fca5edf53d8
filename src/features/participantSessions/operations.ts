import { featuresOf } from '../../access/features'
import { changes } from '../../audit/changes'
import type { House } from '../../house'
import { operation } from '../../http/operation'
import { shape } from '../../wire/words'
import { placesOf } from '../participants/memberships'
import { type ParticipantRow, staffView } from '../participants/queries'
import { changeParticipant } from '../participants/updateQueries'
import { sitesById } from '../sites/queries'
import type { Trial } from '../trials/queries'
import { Me, OwnChange, OwnTrial } from './model'
import { registerDevice } from './push'
import { endToken, teamOf } from './queries'
import { self } from './scope'
import { exchangeGrant, signIn } from './signIn'

/** The trial as its participants see it; a feature is on where the team has it and the trial uses it. */
function ownTrial({ db, push }: House, trial: Trial) {
  const { settings } = trial
  const team = featuresOf(db, trial.team)
  const features = {
    ...team,
    eConsent: team.eConsent && settings.eConsentEnabled === true,
    foodDiaries: team.foodDiaries && settings.foodDiariesEnabled === true,
  }
  return {
    ...trial,
    sponsor: settings.sponsor ?? null,
    team: teamOf(db, trial.team),
    features,
    pushPublicKey: push?.publicKey ?? null,
  }
}

function me(house: House, trial: Trial, participant: ParticipantRow) {
  const { db } = house
  const places = placesOf(db, participant._id)
  return {
    participant: staffView(participant, places),
    trial: ownTrial(house, trial),
    sites: sitesById(db, places.sites),
    consents: [],
    connectedServices: [],
  }
}

const signOut = operation({
  method: 'DELETE',
  path: '/participants/sessions',
  summary: 'Sign out: the token is no longer valid',
  who: 'participant',
  scope: self,
  logs: 'signOutParticipant',
  returns: shape({}),
  run: ({ db, caller }) => {
    endToken(db, caller.token)
    return {}
  },
})

const showMe = operation({
  method: 'GET',
  path: '/participants/me',
  summary: 'The participant, with their trial, sites, consents and connected services',
  who: 'participant',
  scope: self,
  returns: Me,
  run: ({ house, trial, participant }) => me(house, trial, participant),
})

const editMe = operation({
  method: 'PUT',
  path: '/participants/me',
  summary: 'Set the time zone',
  who: 'participant',
  scope: self,
  changes: 'data',
  logs: 'updateParticipant',
  body: OwnChange,
  returns: Me,
  run: ({ db, house, trial, participant, body, record }) => {
    const after = changeParticipant(db, participant._id, body)
    record({ event: changes({ timezone: participant.timezone }, { timezone: after.timezone }) })
    return me(house, trial, after)
  },
})

const showOwnTrial = operation({
  method: 'GET',
  path: '/participants/trial',
  summary: 'The trial the participant takes part in',
  who: 'participant',
  scope: self,
  returns: OwnTrial,
  run: ({ house, trial }) => ownTrial(house, trial),
})

export const participantSessionOperations = [
  signIn,
  signOut,
  exchangeGrant,
  showMe,
  editMe,
  registerDevice,
  showOwnTrial,
]
