import { useReading } from '#web/console/parts/field/field'
import type { Stage } from '#web/console/parts/field/reading'
import { QueryPill } from '#web/console/parts/queries/queries'
import { path } from '#web/console/shell/router'
import type { AnswerOf } from '#web/kit/api/operations'
import { ButtonLink, EmptyState } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import type { QueryFilters } from './filters'
import { formName } from './formName'
import { useTranslator } from './texts'

type Query = AnswerOf<'readQuery'>

type Props = {
  page: AnswerOf<'listQueries'>
  filters: QueryFilters
  /** The chosen one. */
  openId: string | undefined
  stages: readonly Stage[]
  /** The address with these changes. */
  hrefOf: (changes: Readonly<Record<string, string | undefined>>) => string
  open: (id: string) => void
}

/** The queries of a page of the list, each a link to itself. */
export function QueryList({ page, filters, openId, stages, hrefOf, open }: Props) {
  const { t } = useTranslator()
  const { view, isMine, participant } = filters
  const pageHref = (number: number) => path.value + hrefOf({ page: number === 1 ? undefined : `${number}` })
  if (!page.queries.length && page.page === 1) {
    const isFiltered = isMine || participant !== undefined
    return (
      <section class="pane">
        <EmptyState
          title={t(isFiltered ? 'queries.noneFits' : `queries.none.${view}`)}
          note={isFiltered ? '' : t('queries.noneNote')}
        >
          {isFiltered && <ButtonLink href={path.value}>{t('queries.clearFilters')}</ButtonLink>}
        </EmptyState>
      </section>
    )
  }
  return (
    <section class="pane" aria-label={t('queries.list')}>
      <ul class="scroll queue">
        {page.queries.map((query) => (
          <li key={query._id}>
            <a
              id={`query-${query._id}`}
              class="queue-item"
              href={path.value + hrefOf({ open: query._id })}
              aria-current={query._id === openId ? 'true' : undefined}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return
                event.preventDefault()
                open(query._id)
              }}
            >
              <Item query={query} stage={stages.find(({ _id }) => _id === query.stage)} />
            </a>
          </li>
        ))}
      </ul>
      {(page.page > 1 || page.nextPageAvailable) && (
        <footer class="pane-foot">
          {page.page > 1 && <a href={pageHref(page.page - 1)}>{t('queries.previous')}</a>}
          <span class="soft">{t('queries.page', { page: page.page })}</span>
          {page.nextPageAvailable && <a href={pageHref(page.page + 1)}>{t('queries.next')}</a>}
        </footer>
      )}
      <footer class="foot-bar">
        <span class="key-hint">
          <kbd>J</kbd> <kbd>K</kbd> {t('queries.keyNext')}
        </span>
        <span class="key-hint">
          <kbd>R</kbd> {t('queries.keyReply')}
        </span>
      </footer>
    </section>
  )
}

function Item({ query, stage }: { query: Query; stage: Stage | undefined }) {
  const { t } = useTranslator()
  const { nameOf } = useReading()
  const { participantId, stageRecurrence, dataType, messages, assignees } = query
  const fieldTitle = stage?.components?.find((each) => each.dataType === dataType)?.title
  const form = formName(stage, stageRecurrence, t)
  const last = messages.at(-1)
  return (
    <>
      <span class="top-line">
        <b>
          <bdi>{participantId ?? t('queries.noParticipant')}</bdi>
        </b>
        <span class="soft cut">
          <StudyText text={form} />
          {fieldTitle && (
            <>
              {' · '}
              <StudyText text={fieldTitle} />
            </>
          )}
        </span>
        <QueryPill query={query} />
      </span>
      <span class="last-line soft cut">
        {last && (
          <>
            <bdi>{nameOf(last.createdBy)}</bdi>: <bdi>{last.text}</bdi>
          </>
        )}
      </span>
      {assignees.length > 0 && (
        <span class="last-line faint cut">
          {t('queries.assigned', { names: assignees.map((each) => nameOf(each)).join(', ') })}
        </span>
      )}
    </>
  )
}
