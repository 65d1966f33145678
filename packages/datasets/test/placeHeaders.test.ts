import {describe, expect, it} from 'vitest';
import {readPoints} from '../src/index.ts';

/** Headers of public data sets, the latitude and the longitude, and the delimiter if it is not a comma. */
const HEADERS: readonly (readonly [set: string, header: string, lat: string, lon: string])[] = [
  ['USGS earthquakes', 'time,latitude,longitude,depth,mag,magType,nst,gap,dmin,rms,net,id', 'latitude', 'longitude'],
  ['NASA meteorites', 'name,id,nametype,recclass,mass (g),fall,year,reclat,reclong,GeoLocation', 'reclat', 'reclong'],
  ['NASA FIRMS', 'latitude,longitude,brightness,scan,track,acq_date,acq_time,confidence', 'latitude', 'longitude'],
  ['GTFS stops', 'stop_id,stop_code,stop_name,stop_lat,stop_lon,zone_id,location_type', 'stop_lat', 'stop_lon'],
  ['GTFS shapes', 'shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence', 'shape_pt_lat', 'shape_pt_lon'],
  ['GBIF', 'gbifID,species,decimalLatitude,decimalLongitude,eventDate', 'decimalLatitude', 'decimalLongitude'],
  ['eBird', 'LOCALITY ID,LATITUDE,LONGITUDE,OBSERVATION DATE,OBSERVER ID', 'LATITUDE', 'LONGITUDE'],
  ['iNaturalist', 'id,observed_on,latitude,longitude,positional_accuracy', 'latitude', 'longitude'],
  ['Movebank', 'event-id,timestamp,location-long,location-lat,ground-speed', 'location-lat', 'location-long'],
  ['AIS of NOAA', 'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading', 'LAT', 'LON'],
  ['AIS of Denmark', '# Timestamp,Type of mobile,MMSI,Latitude,Longitude,SOG', 'Latitude', 'Longitude'],
  ['OpenSky', 'time,icao24,lat,lon,velocity,heading,vertrate', 'lat', 'lon'],
  ['OpenCellID', 'radio,mcc,net,area,cell,unit,lon,lat,range,samples', 'lat', 'lon'],
  ['UK police', 'Crime ID,Month,Longitude,Latitude,Location,LSOA code', 'Latitude', 'Longitude'],
  [
    'UK collisions',
    'collision_index,location_easting_osgr,location_northing_osgr,longitude,latitude',
    'latitude',
    'longitude',
  ],
  ['Chicago crimes', 'ID,Case Number,X Coordinate,Y Coordinate,Year,Latitude,Longitude', 'Latitude', 'Longitude'],
  ['Los Angeles crimes', 'DR_NO,Date Rptd,AREA,LOCATION,LAT,LON', 'LAT', 'LON'],
  ['San Francisco incidents', 'Row ID,CNN,Latitude,Longitude,Point', 'Latitude', 'Longitude'],
  ['NYC collisions', 'CRASH DATE,BOROUGH,ZIP CODE,LATITUDE,LONGITUDE,COLLISION_ID', 'LATITUDE', 'LONGITUDE'],
  [
    'NYC 311',
    'Unique Key,X Coordinate (State Plane),Y Coordinate (State Plane),Latitude,Longitude',
    'Latitude',
    'Longitude',
  ],
  ['NYC trees', 'tree_id,x_sp,y_sp,latitude,longitude', 'latitude', 'longitude'],
  ['Inside Airbnb', 'id,name,host_id,neighbourhood,latitude,longitude,price', 'latitude', 'longitude'],
  ['Uber 2014', 'Date/Time,Lat,Lon,Base', 'Lat', 'Lon'],
  ['GeoLife', 'Latitude,Longitude,Zero,Altitude,Days,Date,Time', 'Latitude', 'Longitude'],
  ['T-Drive', 'taxi_id,datetime,longitude,latitude', 'latitude', 'longitude'],
  ['Gowalla', 'user,check_in_time,latitude,longitude,location_id', 'latitude', 'longitude'],
  ['OpenAddresses', 'LON,LAT,NUMBER,STREET,UNIT,CITY,POSTCODE,ID,HASH', 'LAT', 'LON'],
  ['OurAirports', 'id,ident,type,name,latitude_deg,longitude_deg,elevation_ft', 'latitude_deg', 'longitude_deg'],
  ['World ports', 'World Port Index Number,Main Port Name,Latitude,Longitude', 'Latitude', 'Longitude'],
  ['SimpleMaps cities', 'city,city_ascii,lat,lng,country,population,id', 'lat', 'lng'],
  ['US ZIP codes', 'GEOID,ALAND,AWATER,INTPTLAT,INTPTLONG', 'INTPTLAT', 'INTPTLONG'],
  ['NOAA stations', 'USAF,WBAN,STATION NAME,LAT,LON,ELEV(M),BEGIN,END', 'LAT', 'LON'],
  ['Berlin stops', 'Haltestelle;lat;lon;Linien', 'lat', 'lon'],
  ['ArcGIS export', 'X,Y,OBJECTID,NAME', 'Y', 'X'],
  ['QGIS export', 'fid,name,x,y', 'y', 'x'],
  ['French trees', 'idbase,libellefrancais,longitude,latitude', 'latitude', 'longitude'],
  ['Spanish stations', 'estacion,latitud,longitud,altitud', 'latitud', 'longitud'],
  ['Strava points', 'time,position_lat,position_long,distance', 'position_lat', 'position_long'],
];

/** Headers with two places, or none: the command must ask. */
const AMBIGUOUS: readonly (readonly [set: string, header: string])[] = [
  ['NYC taxi 2015', 'VendorID,pickup_longitude,pickup_latitude,dropoff_longitude,dropoff_latitude'],
  ['Citi Bike', 'ride_id,start_lat,start_lng,end_lat,end_lng'],
  [
    'Citi Bike before 2021',
    'start station latitude,start station longitude,end station latitude,end station longitude',
  ],
  ['NOAA storms', 'BEGIN_YEARMONTH,BEGIN_LAT,BEGIN_LON,END_LAT,END_LON'],
  ['Porto taxi', 'TRIP_ID,CALL_TYPE,TAXI_ID,TIMESTAMP,POLYLINE'],
  ['projected', 'id,easting,northing'],
];

function fileOf(header: string): File {
  const delimiter = header.includes(';') ? ';' : ',';
  const cells = header.split(delimiter).map((_, k) => `${k + 1}`);
  // A line that begins with # is a comment.
  return new File([`${header.replace(/^# /, '')}\n${cells.join(delimiter)}\n`], 'set.csv');
}

describe("columns: 'place'", () => {
  it.for(HEADERS)('finds latitude and longitude of %s', async ([, header, lat, lon]) => {
    const {columns, coords} = await readPoints(fileOf(header), {columns: 'place'});
    expect(columns).toEqual([lat, lon]);
    const names = header.replace(/^# /, '').split(/[,;]/);
    expect([...coords]).toEqual([names.indexOf(lat) + 1, names.indexOf(lon) + 1]);
  });

  it.for(AMBIGUOUS)('refuses to guess in %s', async ([, header]) => {
    await expect(readPoints(fileOf(header), {columns: 'place'})).rejects.toThrow('or both chosen by columns');
  });
});
