/** All studies of the person, each with its state. */
import { useEffect } from 'preact/hooks'
import { teamKeysOf } from '#access/keys'
import { session } from '#web/console/data/session'
import { loadStudies, type StudySummary, studies as state } from '#web/console/data/studies'
import { Failure, Icon, PageHead } from '#web/console/parts/parts'
import { pathIn } from '#web/console/shell/router'
import { may } from '#web/kit/may'
import { ButtonLink, EmptyState, Skeleton } from '#web/kit/ui/components'
import { studies } from './texts'

export function Page() {
  const { t, count } = studies.useTranslator()
  useEffect(() => void loadStudies(), [])
  const { list, failure, isLoading } = state.value
  const teams = Map.groupBy(list ?? [], ({ teamName }) => teamName)
  return (
    <>
      <PageHead
        title={t('studies.title')}
        after={list && list.length > 0 && <span class="soft">{count('studies.count', list.length)}</span>}
      />
      <div class="scroll page-body">
        {failure && <Failure failure={failure} onAgain={loadStudies} />}
        {!list && isLoading && <Skeleton lines={4} />}
        {list?.length === 0 && <None />}
        {[...teams].map(([name, of]) => (
          <section key={name}>
            {teams.size > 1 && (
              <h2 class="small-heading">
                <bdi>{name}</bdi>
              </h2>
            )}
            <ul class="cards">
              {of.map((study) => (
                <StudyCard key={study._id} study={study} />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}

function StudyCard({ study }: { study: StudySummary }) {
  const { t, count } = studies.useTranslator()
  const { trial } = study
  return (
    <li class="card study-card">
      <a href={pathIn(study.segment, 'participants')}>
        <span class="study-name">
          <bdi>{study.name}</bdi>
        </span>
        {trial && <bdi class="code">{trial.code}</bdi>}
      </a>
      {trial?.description && (
        <p class="soft two-lines" dir="auto">
          {trial.description}
        </p>
      )}
      <p class="figures">
        <span>
          <Icon name="participants" />
          {count('studies.people', study.participantCount)}
        </span>
        <span>
          <Icon name="forms" />
          {count('studies.forms', study.stageCount)}
        </span>
        <span>
          <Icon name="answers" />
          {count('studies.responses', study.responseCount)}
        </span>
      </p>
      <p class="pills">
        {trial ? <Locks trial={trial} /> : <span class="pill waiting">{t('studies.limited')}</span>}
        {study.isArchived && <span class="pill waiting">{t('studies.archived')}</span>}
        {study.hasUnreadMessages && (
          <span class="pill open">
            <Icon name="message" />
            {t('studies.unread')}
          </span>
        )}
      </p>
    </li>
  )
}

function Locks({ trial: { isLocked, isDatabaseLocked } }: { trial: NonNullable<StudySummary['trial']> }) {
  const { t } = studies.useTranslator()
  if (!isLocked && !isDatabaseLocked) return <span class="pill waiting">{t('studies.open')}</span>
  const shown = [isDatabaseLocked && 'studies.dataLocked', isLocked && 'studies.configurationLocked'] as const
  return (
    <>
      {shown.map(
        (key) =>
          key && (
            <span key={key} class="pill signed">
              <Icon name="lock" />
              {t(key)}
            </span>
          ),
      )}
    </>
  )
}

/** What somebody without a study can do. */
function None() {
  const { t } = studies.useTranslator()
  const teams = session.value?.user.teams ?? []
  const mayCreate = teams.some(({ permissions }) => may('createTrial', { team: teamKeysOf(permissions) }))
  return mayCreate ? (
    <EmptyState title={t('studies.noneYet')} note={t('studies.noneYetNote')}>
      <ButtonLink href="/manual/tour">{t('studies.tour')}</ButtonLink>
    </EmptyState>
  ) : (
    <EmptyState title={t('studies.none')} note={t('studies.noneNote')} />
  )
}
