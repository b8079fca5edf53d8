import { useSpeaker } from './speaking'

/** The shape of what is being loaded. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  const { say } = useSpeaker()
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{say('site.loading')}</span>
      {Array.from({ length: lines }, (_, at) => (
        <span key={at} class="bone" aria-hidden="true" />
      ))}
    </div>
  )
}
