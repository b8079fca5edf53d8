/**
 * What is under way in the database ends with the page. WebKit may keep a transaction of a page that was left, and then every later
 * write to the same store waits for it, in every page, without an end: even a read has this effect.
 */

const openTransactions = new Set<IDBTransaction>()

/** Notes every transaction of this connection until it is over. */
export function trackTransactions(db: IDBDatabase): void {
  const begin = db.transaction.bind(db)
  db.transaction = (...given) => {
    const transaction = begin(...given)
    openTransactions.add(transaction)
    for (const end of ['complete', 'abort'])
      transaction.addEventListener(end, () => openTransactions.delete(transaction))
    return transaction
  }
}

/**
 * Aborts what is under way when the page is left. What was committed is kept all the same. A page that the browser brings back begins
 * anew. Call it once, before the first draft is opened: its last change is written after this.
 */
export function abortOnPageHide(): void {
  addEventListener('pagehide', () => {
    // The page is gone before a read could be shown.
    addEventListener('unhandledrejection', (event) => event.preventDefault())
    for (const transaction of openTransactions)
      try {
        transaction.abort()
      } catch {
        // It is committed, or over.
      }
  })
  addEventListener('pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) location.reload()
  })
}
