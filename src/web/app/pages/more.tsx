/** Everything that has no place of its own in the menu. */
import { useCopy } from '#web/app/device/copies'
import { useSpeaker } from '#web/app/speaking'
import { Appearance } from './appearance'
import { Page as Frame } from './page'
import { Row, Rows } from './rows'
import { useStudy } from './study'

export function Page() {
  const { say } = useSpeaker()
  const { me } = useStudy()
  const has = (feature: string) => me?.trial.features[feature] === true
  return (
    <Frame title={say('app.more')}>
      <Rows label={say('app.more')}>
        <Row path="resources" icon="book" label={say('app.resources')} note={say('app.resourcesNote')} />
        {has('foodDiaries') && <Row path="food" icon="food" label={say('app.food')} note={say('app.foodNote')} />}
        {has('wearables') && <Wearables />}
        {has('incentives') && <Rewards />}
        <Row path="waiting" icon="phone" label={say('app.waiting')} note={say('app.waitingNote')} />
        <Row path="you" icon="person" label={say('app.you')} note={say('app.youNote')} />
      </Rows>
      <h2 class="section-title">{say('app.appearance')}</h2>
      <Appearance />
    </Frame>
  )
}

/** A feature may be on without the study using it: only what there is something of gets a place. */
function Wearables() {
  const { say } = useSpeaker()
  const { value } = useCopy<{ connections: unknown[] }>('/participants/connections')
  if (!value?.connections.length) return null
  return <Row path="connections" icon="watch" label={say('app.connections')} note={say('app.connectionsNote')} />
}

function Rewards() {
  const { say } = useSpeaker()
  const { value } = useCopy<{ incentives: unknown[] }>('/participants/incentives')
  if (!value?.incentives.length) return null
  return <Row path="rewards" icon="gift" label={say('app.rewards')} note={say('app.rewardsNote')} />
}
