import { type Card, createEmptyCard, fsrs, type Grade, Rating } from 'ts-fsrs';
import type { ReviewRating } from './engine.ts';

const scheduler = fsrs({ enable_fuzz: false, enable_short_term: false, maximum_interval: 365 });

const ratings: Readonly<Record<ReviewRating, Grade>> = { again: Rating.Again, hard: Rating.Hard, good: Rating.Good };

export interface Scheduled {
  readonly card: string;
  readonly dueAt: Date;
}

/** A new proof counts as its first review. */
export function firstReview(earnedAt: Date): Scheduled {
  return schedule(createEmptyCard(earnedAt), 'good', earnedAt);
}

export function nextReview(card: string, rating: ReviewRating, at: Date): Scheduled {
  const { due, last_review, ...rest } = JSON.parse(card) as Card & { due: string; last_review?: string };
  const kept = { ...rest, due: new Date(due), ...(last_review ? { last_review: new Date(last_review) } : {}) };
  return schedule(kept, rating, at);
}

function schedule(card: Card, rating: ReviewRating, at: Date): Scheduled {
  const { card: next } = scheduler.next(card, at, ratings[rating]);
  return { card: JSON.stringify(next), dueAt: next.due };
}
