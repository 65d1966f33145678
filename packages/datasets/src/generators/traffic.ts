import {checkInteger, InvalidParameterError, METRES_PER_DEGREE} from '@epsball/clustering';
import {Random} from '../random.ts';

/** Positions of cars in a town, latitudes and longitudes in degrees. */
export interface Traffic {
  /** Moves all cars on, by finite seconds ≥ 0. Returns lat0 lon0 lat1 lon1 …, a new array. */
  readonly step: (seconds: number) => Float64Array;
}

/** Streets are this far apart, and the town has as many of them in each direction. Metres. */
const BLOCK = 200;
const STREETS = 60;
const LATITUDE = 48;

interface Car {
  x: number;
  y: number;
  /** Where it goes next, a crossing on its street. */
  toX: number;
  toY: number;
  speed: number;
  waits: number;
}

/**
 * Seeded traffic on a square grid of streets: cars drive at 5 to 15 m/s, turn at crossings, prefer the middle of the
 * town, and wait at every tenth crossing for up to a minute.
 *
 * @param cars  integer ≥ 1
 * @param seed  integer in 0…2^32 − 1
 * @throws InvalidParameterError  for other numbers, also of seconds
 */
export function traffic(cars: number, seed: number): Traffic {
  checkInteger('cars', cars, 1);
  const random = new Random(seed);
  const fleet = Array.from({length: cars}, () => newCar(random));
  const step = (seconds: number): Float64Array => {
    if (!(seconds >= 0 && seconds < Infinity)) {
      throw new InvalidParameterError('seconds', seconds, 'a finite number ≥ 0');
    }
    const coords = new Float64Array(2 * cars);
    fleet.forEach((car, k) => {
      drive(car, seconds, random);
      coords[2 * k] = LATITUDE + car.y / METRES_PER_DEGREE;
      coords[2 * k + 1] = car.x / (METRES_PER_DEGREE * Math.cos((LATITUDE * Math.PI) / 180));
    });
    return coords;
  };
  return {step};
}

function newCar(random: Random): Car {
  const x = Math.floor(random.uniform() * STREETS) * BLOCK;
  const y = Math.floor(random.uniform() * STREETS) * BLOCK;
  return {x, y, toX: x, toY: y, speed: 5 + 10 * random.uniform(), waits: 60 * random.uniform()};
}

function drive(car: Car, seconds: number, random: Random): void {
  let left = seconds;
  while (left > 0) {
    if (car.waits > 0) {
      const waited = Math.min(car.waits, left);
      car.waits -= waited;
      left -= waited;
      continue;
    }
    const distance = Math.abs(car.toX - car.x) + Math.abs(car.toY - car.y);
    const driven = Math.min(distance, left * car.speed);
    car.x += Math.sign(car.toX - car.x) * (car.toX === car.x ? 0 : driven);
    car.y += Math.sign(car.toY - car.y) * (car.toX === car.x && car.toY !== car.y ? driven : 0);
    left -= driven / car.speed;
    if (driven === distance) turn(car, random);
  }
}

/** Chooses the next crossing; towards the middle of the town two times out of three. */
function turn(car: Car, random: Random): void {
  car.x = car.toX;
  car.y = car.toY;
  if (random.uniform() < 0.1) car.waits = 60 * random.uniform();
  const middle = (STREETS / 2) * BLOCK;
  const next = (at: number): number => {
    const isInwards = random.uniform() < 2 / 3;
    const to = at + (at < middle === isInwards ? BLOCK : -BLOCK);
    return Math.min(Math.max(to, 0), STREETS * BLOCK);
  };
  if (random.uniform() < 0.5) car.toX = next(car.x);
  else car.toY = next(car.y);
}
