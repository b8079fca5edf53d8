/** What the tabs of the app tell each other. Where the browser cannot, each knows only of itself. */

export type Channel<T> = {
  tell(news: T): void
  /** Hears what other tabs tell. */
  follow(heard: (news: T) => void): void
}

/** The channel of this name. A tab does not hear itself. */
export function channelOf<T>(name: string): Channel<T> {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
  return {
    tell: (news) => channel?.postMessage(news),
    follow: (heard) => channel?.addEventListener('message', ({ data }: MessageEvent<T>) => heard(data)),
  }
}
