import { Icon } from '#web/console/parts/parts'
import { path, setQuery } from '#web/console/shell/router'
import { type QueryFilters, searchOf, views } from './filters'
import { useTranslator } from './texts'

const hrefOf = (filters: QueryFilters): string => {
  const said = Object.entries(searchOf(filters)).filter((each): each is [string, string] => each[1] !== undefined)
  return said.length ? `${path.value}?${new URLSearchParams(said)}` : path.value
}

/** What the queries wait for: each view is an address. */
export function Views({ filters }: { filters: QueryFilters }) {
  const { t } = useTranslator()
  return (
    <nav class="tabs" aria-label={t('queries.views')}>
      {views.map((view) => (
        <a
          key={view}
          href={hrefOf({ ...filters, view, page: 1 })}
          aria-current={view === filters.view ? 'page' : undefined}
        >
          {t(`queries.view.${view}`)}
        </a>
      ))}
    </nav>
  )
}

/** The filters of the list. Each is in the address; *back* takes it away again. */
export function Filters({ filters }: { filters: QueryFilters }) {
  const { t } = useTranslator()
  const { isMine, participant } = filters
  return (
    <div class="bar">
      <button
        type="button"
        class={isMine ? 'chip on' : 'chip'}
        aria-pressed={isMine}
        onClick={() => setQuery({ assignee: isMine ? undefined : 'me', page: undefined, open: undefined })}
      >
        {t('queries.mine')}
      </button>
      {participant && (
        <button
          type="button"
          class="chip on"
          aria-label={t('queries.drop', { filter: `${t('queries.participantIs')} ${t('queries.onePerson')}` })}
          onClick={() => setQuery({ participant: undefined, page: undefined, open: undefined })}
        >
          <em>{t('queries.participantIs')}</em> {t('queries.onePerson')}
          <Icon name="close" />
        </button>
      )}
      <span class="grow" />
      <span class="soft">{t('queries.newest')}</span>
    </div>
  )
}
