import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { RowRange } from '#web/console/parts/parts'
import { Button, EmptyState } from '#web/kit/ui/components'
import { participants } from './texts'

/** Below the grid: the keys, for who works with them. */
export function GridFoot({ total, range }: { total: number; range: ReadonlySignal<RowRange> }) {
  const { t } = participants.useTranslator()
  const { from, to } = range.value
  const keys = [
    [['J', 'K'], 'keys.move'],
    [['Space'], 'keys.details'],
    [['Enter'], 'keys.open'],
    [['/'], 'keys.search'],
  ] as const
  return (
    <footer class="foot-bar">
      <span>{t('participants.rows', { from: from + 1, to: to + 1, total })}</span>
      {keys.map(([names, text]) => (
        <span key={text} class="key-hint">
          {names.map((name) => (
            <kbd key={name}>{name === 'Space' ? t('keys.space') : name}</kbd>
          ))}{' '}
          {t(text)}
        </span>
      ))}
    </footer>
  )
}

type Props = { isFiltered: boolean; onClear: () => void; children: ComponentChildren }

/** In place of the grid: nobody is registered, or nobody fits the filters. @param children the act that fills the list */
export function NoParticipants({ isFiltered, onClear, children }: Props) {
  const { t } = participants.useTranslator()
  return isFiltered ? (
    <EmptyState icon="info" title={t('participants.noneFits')} note={t('participants.noneFitsNote')}>
      <Button onPress={onClear}>{t('filter.clear')}</Button>
    </EmptyState>
  ) : (
    <EmptyState title={t('participants.none')} note={t('participants.noneNote')}>
      {children}
    </EmptyState>
  )
}
