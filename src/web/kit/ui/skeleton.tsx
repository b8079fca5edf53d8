import { useTranslator } from './translator'

/** The shape of what is being loaded. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const { t } = useTranslator()
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{t('site.loading')}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="bone" aria-hidden="true" />
      ))}
    </div>
  )
}
