/** Everything that has no place of its own in the menu. */
import type { AnswerOf } from '#web/kit/api/operations'
import { useCopy } from '#web/participant/device/copies'
import { useTranslator } from '#web/participant/texts'
import { Appearance } from './appearance'
import { Page as Frame } from './page'
import { Row, Rows } from './rows'
import { useStudy } from './study'

export function Page() {
  const { t } = useTranslator()
  const { me } = useStudy()
  const has = (feature: string) => me?.trial.features[feature] === true
  return (
    <Frame title={t('app.more')}>
      <Rows label={t('app.more')}>
        <Row path="resources" icon="book" label={t('app.resources')} note={t('app.resourcesNote')} />
        {has('foodDiaries') && <Row path="food" icon="food" label={t('app.food')} note={t('app.foodNote')} />}
        {has('wearables') && <Wearables />}
        {has('incentives') && <Rewards />}
        <Row path="waiting" icon="phone" label={t('app.waiting')} note={t('app.waitingNote')} />
        <Row path="you" icon="person" label={t('app.you')} note={t('app.youNote')} />
      </Rows>
      <h2 class="section-title">{t('app.appearance')}</h2>
      <Appearance />
    </Frame>
  )
}

/** A feature may be on without the study using it: only what there is something of gets a place. */
function Wearables() {
  const { t } = useTranslator()
  const { value } = useCopy<AnswerOf<'listOwnConnections'>>('/participants/connections')
  if (!value?.connections.length) return null
  return <Row path="connections" icon="watch" label={t('app.connections')} note={t('app.connectionsNote')} />
}

function Rewards() {
  const { t } = useTranslator()
  const { value } = useCopy<AnswerOf<'listOwnIncentives'>>('/participants/incentives')
  if (!value?.incentives.length) return null
  return <Row path="rewards" icon="gift" label={t('app.rewards')} note={t('app.rewardsNote')} />
}
