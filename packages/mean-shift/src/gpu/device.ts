import {Owner, ParamRing, ReadBack, Scratch, Uploader, type Gpu} from '@epsball/gpu';
import {BoundsReduction} from '@epsball/spatial-grid/gpu';

export class Device extends Owner {
  readonly gpu: Gpu;
  readonly scratch: Scratch;
  readonly params: ParamRing;
  readonly reader: ReadBack;
  readonly uploader: Uploader;
  readonly boxes: BoundsReduction;

  constructor(gpu: Gpu) {
    super();
    this.gpu = gpu;
    this.scratch = this.own(new Scratch(gpu, 'mean-shift'));
    this.params = this.own(new ParamRing(gpu, 'mean-shift/params', 64));
    this.reader = this.own(new ReadBack(gpu, 'mean-shift'));
    this.uploader = this.own(new Uploader(gpu, 'mean-shift'));
    this.boxes = this.own(new BoundsReduction(gpu));
  }
}
