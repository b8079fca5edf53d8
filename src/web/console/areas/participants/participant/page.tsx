/** A participant: who they are in the study, and their casebook. */
import { useMemo } from 'preact/hooks'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { field } from '#web/console/parts/field/field'
import { Failure, LockBand, PageHead } from '#web/console/parts/parts'
import type { AreaProps } from '#web/console/shell/areaProps'
import { pathIn } from '#web/console/shell/router'
import { ButtonLink, EmptyState, Skeleton } from '#web/kit/ui/components'
import { Casebook } from './casebook'
import { ParticipantHead } from './head'
import { useTranslator } from './texts'

export const Page = ({ params }: AreaProps) => (
  <field.Texts>
    <ParticipantPage id={params.participant ?? ''} />
  </field.Texts>
)

function ParticipantPage({ id }: { id: string }) {
  const { t } = useTranslator()
  const { _id, segment, trial, at } = useStudy()
  const { body, failure, reload } = useItem('readParticipant', '/trials/:trialId/participants/:participantId', [
    _id,
    id,
  ])
  const place = useMemo(() => body && at(body), [body, at])
  if (!body && failure?.status === 404) {
    return (
      <>
        <PageHead title={t('casebook.title')} />
        <EmptyState icon="warning" title={t('casebook.gone')} note={t('casebook.goneNote')}>
          <ButtonLink href={pathIn(segment, 'participants')}>{t('casebook.toList')}</ButtonLink>
        </EmptyState>
      </>
    )
  }
  if (!body || !place) {
    return (
      <>
        <PageHead title={t('casebook.title')} />
        {failure ? <Failure failure={failure} onAgain={reload} /> : <Skeleton lines={6} />}
      </>
    )
  }
  const zone = body.timezone ?? trial?.timezone ?? 'UTC'
  return (
    <>
      <ParticipantHead key={id} participant={body} zone={zone} />
      <LockBand trial={trial} />
      <Casebook key={id} participant={body} place={place} zone={zone} />
    </>
  )
}
