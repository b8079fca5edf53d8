/** Messages between the tabs of the app. Where the browser has no `BroadcastChannel`, no messages are passed. */

export type Channel<T> = {
  post(news: T): void
  /** Calls the listener with each message from other tabs. */
  onMessage(listener: (news: T) => void): void
}

/** The channel of this name. A tab does not get its own messages. */
export function channelOf<T>(name: string): Channel<T> {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : undefined
  return {
    post: (news) => channel?.postMessage(news),
    onMessage: (listener) => channel?.addEventListener('message', ({ data }: MessageEvent<T>) => listener(data)),
  }
}
